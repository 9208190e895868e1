import { capture } from '@vf/core';
import type { Episode } from '@vf/core';
import { calculatorLoop } from './calculator-loop.ts';
import { policy } from './policy.ts';

const tasks = [
  { key: 'small', prompt: 'What is 3 * 4 + 5?', answer: 17 },
  { key: 'large', prompt: 'What is 17 * 23 + 9?', answer: 400 },
];
const attempts = 2;

/** Plays each task twice. The data is made, and says so: `source` is `captured` where a real model answers. */
export async function* rollouts(): AsyncGenerator<Episode, void> {
  for (const task of tasks) {
    for (let attempt = 1; attempt <= attempts; attempt++) yield rollout(task, attempt);
  }
}

async function rollout(
  { key, ...data }: (typeof tasks)[number],
  attempt: number,
): Promise<Episode> {
  const seed = attempt - 1;
  const { model, reward, note, finish } = capture(policy(seed), {
    task: { type: 'calculator', key, data },
    agent: {
      model: 'made-policy',
      harness: { id: 'calculator-loop', version: '0.1.0' },
      sampling: { seed },
    },
    source: 'fixture',
    attempt,
  });
  try {
    const answer = await calculatorLoop(data.prompt, model);
    reward('exact', answer === String(data.answer) ? 1 : 0);
    note({ answered: answer });
    return finish(answer === null ? { stop: 'max_turns' } : {});
  } catch (error) {
    return finish({ error });
  }
}
