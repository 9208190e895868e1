/** The last lines of a program's output that hold anything, each cut to a readable length; '' when there are none. */
export function lastLines(text: string, count = 10): string {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return lines
    .slice(-count)
    .map((line) => (line.length > 500 ? `${line.slice(0, 500)}…` : line))
    .join('\n');
}
