import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '@vf/testkit';
import { expect, test } from 'vitest';
import { vfPlace } from '../cli/vf.ts';
import { judgeCalls, judgingModel, verdict } from './world.ts';

const taskset = `
import { defineTaskset } from '@vf/core';
import { judge } from '@vf/judge';

export default defineTaskset({
  load: () => [{ key: 'bird', prompt: 'Write a line about a bird.' }],
  rewards: { style: judge({ name: 'style', rubric: 'Is it plain?', votes: 3 }) },
});
`;

test('a judge is planned, compared and asked only for what is missing when its run goes on', async () => {
  let isMended = false;
  let calls = 0;
  await using model = await judgingModel(() =>
    isMended || ++calls % 2 === 1 ? verdict(1) : say('no idea'),
  );
  const place = await vfPlace();
  await writeFile(join(place.dir, 'birds.ts'), taskset);
  const judged = ['--judges.style.model', 'judge-model'];
  const own = ['-m', 'judge-model', '--base-url', model.url];
  const evaluate = ['eval', './birds.ts', ...own, ...judged, '-o', place.dir, '--run', 'r'];

  const [plan] = await place.run(...evaluate, '--dry-run');
  expect(plan?.['judges']).toMatchObject([
    { name: 'style', kind: 'judge', model: 'judge-model', dialect: 'chat-completions' },
  ]);
  await expect(place.run(...evaluate)).rejects.toThrow('ended with 3');
  const first = judgeCalls(model).length;

  const other = place.run('resume', join(place.dir, 'r'), '--judges.style.prompt', 'Is it short?');
  await expect(other).rejects.toThrow('judges.style.prompt');

  isMended = true;
  const events = await place.run('resume', join(place.dir, 'r'), '--include', 'scoring');
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', exit_code: 0 });
  expect(judgeCalls(model).length - first).toBeGreaterThan(0);
  expect(judgeCalls(model).length - first).toBeLessThan(3);
});
