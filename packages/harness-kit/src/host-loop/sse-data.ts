/** The `data` of each server-sent event of a whole stream; events without data are left out. */
export function sseData(text: string): readonly string[] {
  const found: string[] = [];
  let lines: string[] = [];
  for (const line of `${text.replace(/^\uFEFF/, '')}\n\n`.split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) lines.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    if (line !== '' || lines.length === 0) continue;
    found.push(lines.join('\n'));
    lines = [];
  }
  return found;
}
