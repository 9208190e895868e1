/**
 * A message with what differs from rollout to rollout taken out, so that failures alike count as one:
 * numbers, ids, paths, addresses and times.
 */
export function fingerprint(message: string): string {
  return firstLines(message)
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'`)\]}>]+/gi, '<url>')
    .replaceAll(/(?<![\w.])(?:[A-Za-z]:)?(?:[\w.~@+-]*[/\\]){1,}[\w.@+-]+(?:[/\\])?/g, '<path>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>')
    .replaceAll(/\b0x[0-9a-f]+\b/gi, '<id>')
    .replaceAll(/\b(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[\w-]{12,}\b/gi, '<id>')
    .replaceAll(/\d[\d,]*(?:\.\d+)?/g, '<n>')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A stack or a log tail behind the first lines says where, not what. */
function firstLines(message: string): string {
  return message.split('\n', 3).join(' ').slice(0, 500);
}
