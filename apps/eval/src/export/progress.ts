import { formatCount } from '../screen/format.ts';

const repaintMs = 250;
const lineMs = 30_000;

/** Says on stderr how far an export is: one line repainted on a terminal, else a line in 30 s. @returns how to end it */
export function showProgress(episodes: () => number): () => void {
  const isTerminal = process.stderr.isTTY;
  const say = (): void => {
    const text = `${formatCount(episodes())} episodes read`;
    process.stderr.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  };
  const timer = setInterval(say, isTerminal ? repaintMs : lineMs);
  return () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write('\r\u001b[K');
  };
}
