/**
 * A message with what differs from rollout to rollout taken out, so that failures alike count as one:
 * quoted text, numbers, ids, paths, addresses and times. A short quoted word stays when it is a name
 * (`xhigh`, 'by'); what stands in double quotes is often a reply, and goes whatever it is.
 */
export function fingerprint(message: string): string {
  return firstLines(withoutQuoted(message.slice(0, 4000)))
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'`)\]}>]+/gi, '<url>')
    .replaceAll(/(?<![\w.])(?:[A-Za-z]:)?(?:[\w.~@+-]*[/\\]){1,}[\w.@+-]+(?:[/\\])?/g, '<path>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>')
    .replaceAll(/\b0x[0-9a-f]+\b/gi, '<id>')
    .replaceAll(/\b(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[\w-]{12,}\b/gi, '<id>')
    .replaceAll(/\b[a-z]+-\d+\b/gi, '<id>')
    .replaceAll(/\d[\d,]*(?:\.\d+)?/g, '<n>')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** From the first quotation mark to the last: a reply may hold quotation marks and line breaks of its own. */
function withoutQuoted(message: string): string {
  return message
    .replace(/["“][^]*["”]/, '<text>')
    .replace(/"[^"]*$/, '<text>')
    .replaceAll(/(?<!\w)'.'(?!\w)/g, '<text>')
    .replaceAll(/(?<!\w)'(?=[^']*[^'\w.-])[^']*'(?!\w)/g, '<text>')
    .replaceAll(/`(?=[^`]*[^`\w.-])[^`]*`/g, '<text>');
}

/** A stack or a log tail behind the first lines says where, not what. */
function firstLines(message: string): string {
  return message.split('\n', 3).join(' ').slice(0, 500);
}
