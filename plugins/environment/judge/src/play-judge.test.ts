import { VfError } from '@vf/core';
import type { Rollout, Trace } from '@vf/core';
import { makeTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import judge from './index.ts';

const rubric = { rubric: 'Is it right?' };
const verdict = JSON.stringify({ reasoning: 'I looked.', score: 0.75 });

interface Scene {
  readonly options?: object;
  readonly task?: object;
  readonly solved?: Trace;
  readonly judged?: Trace;
  /** What stands in the file that the judge is told of; null: there is none. */
  readonly file?: string | null;
}

/** Plays with agents whose rollouts are these. */
async function play({
  options = rubric,
  task,
  solved = makeTrace({ id: 's' }),
  judged = makeTrace({ id: 'j', rewards: {} }),
  file = null,
}: Scene) {
  const asked: { readonly prompt: string; readonly task: object; readonly box: string | null }[] =
    [];
  const given: [string, number | null, number | undefined][] = [];
  const rolloutOf = (trace: Trace, id: string): Rollout =>
    ({
      trace,
      runtime: {
        id,
        read: async (path: string) => {
          if (file === null || asked.every(({ prompt }) => !prompt.includes(path)))
            throw new VfError('runtime/file_not_found', path);
          return new TextEncoder().encode(file);
        },
      },
    }) as Rollout;
  const open = () => Promise.reject(new Error('not a conversation'));
  const playing = judge.spec.play({
    task: { key: 'k', prompt: 'What is 2 + 2?', ...task },
    agents: {
      solver: { open, run: async () => rolloutOf(solved, 'box-of-solver') },
      judge: {
        open,
        run: async (made, where) => {
          const prompt = String((made as { prompt?: string }).prompt);
          asked.push({ prompt, task: made, box: where?.runtime?.id ?? null });
          return rolloutOf(judged, 'box-of-judge');
        },
      },
    },
    config: judge.spec.config?.parse(options),
    signal: new AbortController().signal,
    reward: (_rollout, name, score, weight) => void given.push([name, score, weight]),
    choose: () => undefined,
  });
  const error = await playing.then(
    () => null,
    (failure: unknown) => failure,
  );
  return { asked, given, error, solved, judged };
}

test('the verdict in the file that only the judge knows of is the reward, and the traces name each other', async () => {
  const { asked, given, error, solved, judged } = await play({ file: verdict });
  expect(error).toBeNull();
  expect(given).toEqual([
    ['judged', null, undefined],
    ['judged', 0.75, 1],
  ]);
  expect(asked[0]?.box).toBe('box-of-solver');
  expect(asked[0]?.prompt).toContain('Is it right?');
  expect(asked[0]?.prompt).toMatch(/<<<conversation \w+\nuser: 2 \+ 2\n\nassistant: 4\n/);
  expect(solved.info).toMatchObject({ judged_by: 'j', judged: { judged: { score: 0.75 } } });
  expect(judged.info).toEqual({ judge_of: 's' });
});

test('names and weights are the config’s; a box of its own is made like the solver’s', async () => {
  const { asked, given } = await play({
    options: {
      criteria: '- right: It is.\n- brief (weight 3): One word.',
      box: 'own',
      transcript: false,
      reward: 'review',
      weight: 2,
    },
    task: { image: 'python:3.12' },
    file: JSON.stringify({
      right: { reasoning: '', met: true },
      brief: { reasoning: '', met: false },
    }),
  });
  expect(given.at(-1)).toEqual(['review', 0.25, 2]);
  expect(asked[0]).toMatchObject({ box: null, task: { image: 'python:3.12' } });
  expect(asked[0]?.prompt).toMatch(/<<<reply \w+\n4\n/);
  expect(asked[0]?.prompt).not.toContain('<<<conversation');
});

test('without a file the last message is the verdict; a file that is none does not hide it', async () => {
  for (const file of [null, 'not yet']) {
    const judged = makeTrace({ id: 'j', rewards: {} });
    judged.rootReply = `So be it: ${verdict}`;
    const { given } = await play({ judged, file });
    expect(given.at(-1)).toEqual(['judged', 0.75, 1]);
  }
});

test('no verdict is an error', async () => {
  const { error, given } = await play({});
  expect(error).toMatchObject({
    code: 'scoring/judge_failed',
    message: expect.stringMatching(
      /^the judge gave no verdict \(agent_completed\): no file verdict-\w+\.json; its last message/,
    ) as string,
  });
  expect(given).toEqual([['judged', null, undefined]]);
});

test.each([
  ['provider/overloaded', 'provider/overloaded'],
  ['harness/failed', 'scoring/judge_failed'],
  ['made/up', 'scoring/judge_failed'],
])('a judge that ended with %s is %s', async (type, code) => {
  const judged = makeTrace({ id: 'j', rewards: {} });
  judged.ok = false;
  judged.errors.push({ type, message: 'it broke' });
  const { error } = await play({ judged, file: verdict });
  expect(error).toMatchObject({ code, message: 'the judge ended with an error: it broke' });
});

test('a solver that failed is not judged', async () => {
  const solved = makeTrace({ id: 's', rewards: { right: null } });
  const { asked, given, error } = await play({ solved, file: verdict });
  expect({ asked, error }).toEqual({ asked: [], error: null });
  expect(given).toEqual([['judged', null, undefined]]);
});
