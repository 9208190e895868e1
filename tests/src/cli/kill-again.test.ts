import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { textOf } from '@vf/core/trace';
import { readIndex } from '@vf/store';
import { answerSums, deliver, startScriptedModel } from '@vf/testkit';
import { expect, test } from 'vitest';
import { kill, vfPlace } from './vf.ts';

const addition = resolve(import.meta.dirname, '../../../examples/addition/addition.ts');

test(
  'a run that is killed again and again is whole in the end, each rollout once',
  { timeout: 120_000 },
  async () => {
    const answer = answerSums();
    await using model = await startScriptedModel({
      script: (request) => [answer(request), deliver({ headDelayMs: 20 })].flat(),
    });
    const place = await vfPlace();
    const dir = join(place.dir, 'outputs/again');
    const provider = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
    const asked = (): string[] =>
      model.turns.map(({ call }) => textOf(call?.messages.at(-1)?.content ?? ''));

    let command = [
      'eval',
      addition,
      ...provider,
      '--taskset.count',
      '60',
      '-c',
      '4',
      '--run',
      'again',
    ];
    for (const moment of [1, 9, 17]) {
      const before = await readIndex(dir).catch(() => []);
      const askedBefore = asked().length;
      let finished = 0;
      const reached = Promise.withResolvers<void>();
      const victim = place.start(command, ({ type }) => {
        if (type === 'rollout.finished' && ++finished === moment) reached.resolve();
      });
      await reached.promise;
      await kill(victim);
      const after = await readIndex(dir);
      expect(after.length).toBeGreaterThanOrEqual(before.length + moment);
      expect(after.slice(0, before.length)).toEqual(before);
      const again = new Set(asked().slice(askedBefore));
      for (const { task } of before)
        expect(again).not.toContain(promptOf(task, await linesOf(dir)));
      command = ['resume', 'again'];
    }
    await place.run('resume', 'again');

    const index = await readIndex(dir);
    expect(index).toHaveLength(60);
    expect(new Set(index.map(({ task }) => task)).size).toBe(60);
    expect(index.every(({ reward }) => reward === 1)).toBe(true);
    const lines = await linesOf(dir);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    expect(lines.map(({ id }) => id)).toEqual(
      expect.arrayContaining(index.map(({ episode }) => episode)),
    );
  },
);

interface Line {
  readonly id: string;
  readonly task: { readonly data: { readonly prompt: string }; readonly [field: string]: unknown };
}

async function linesOf(dir: string): Promise<Line[]> {
  const text = await readFile(join(dir, 'traces.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

function promptOf(task: string, lines: readonly Line[]): string {
  const line = lines.find(({ task: { key } }) => key === task);
  if (line === undefined) throw new Error(`no line of ${task}`);
  return line.task.data.prompt;
}
