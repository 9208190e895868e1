import { readFile } from 'node:fs/promises';
import { finalAnswer } from './final-answer.ts';

/** One problem of the data set. */
export interface Problem {
  /** `test/0001`: the split and the line, from 1 */
  readonly key: string;
  readonly question: string;
  readonly answer: number;
  /** the worked solution, ending in `#### <answer>` */
  readonly solution: string;
}

const FILE = new URL('../data/test.jsonl', import.meta.url);

/** Reads the 1,319 problems that come with the package, in the order of the original file. */
export async function readProblems(signal: AbortSignal): Promise<Problem[]> {
  const lines = (await readFile(FILE, { encoding: 'utf8', signal })).trimEnd().split('\n');
  return lines.map((line, index) => toProblem(line, index + 1));
}

function toProblem(line: string, number: number): Problem {
  const { question, answer: solution } = JSON.parse(line) as { question: string; answer: string };
  const answer = finalAnswer(solution);
  if (!answer?.marked) throw new Error(`line ${number} of test.jsonl has no "#### <answer>"`);
  return {
    key: `test/${String(number).padStart(4, '0')}`,
    question,
    answer: answer.value,
    solution,
  };
}
