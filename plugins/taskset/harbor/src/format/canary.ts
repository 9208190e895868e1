/** A line that is nothing but a comment holding the word. */
function isCanary(line: string): boolean {
  const text = line.trim().toLowerCase();
  if (!text.includes('canary')) return false;
  return text.startsWith('#') || (text.startsWith('<!--') && text.endsWith('-->'));
}

/** Drops the canary lines at the top of an instruction and the blank ones after them; nothing else is trimmed. */
export function withoutCanary(instruction: string): string {
  const lines = instruction.split('\n');
  let first = 0;
  while (isCanary(lines[first] ?? '')) first++;
  if (first === 0) return instruction;
  while (first < lines.length && lines[first]?.trim() === '') first++;
  return lines.slice(first).join('\n');
}
