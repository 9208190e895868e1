import { resolve } from 'node:path';
import { answerSums, deliver, fail, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { expect, test, vi } from 'vitest';
import { hasTmux, vfInTerminal } from './tmux.ts';

vi.setConfig({ testTimeout: 90_000 });

const addition = resolve(import.meta.dirname, '../../../examples/addition/addition.ts');
const answer = answerSums();

/** Answers sums after a while; each request that `refuses` accepts is refused. */
function slowModel(delayMs: number, refuses = /$^/): Promise<ScriptedModel> {
  return startScriptedModel({
    script: (request) =>
      refuses.test(JSON.stringify(request.messages))
        ? [fail(400, { message: 'no such sum' })]
        : [answer(request), deliver({ headDelayMs: delayMs })].flat(),
  });
}

function sums(model: ScriptedModel, ...more: string[]): string[] {
  return ['eval', addition, '-m', 'scripted', '--base-url', `${model.url}/v1`, ...more];
}

const count = (rows: readonly string[], part: string): number =>
  rows.filter((row) => row.includes(part)).length;

test.runIf(hasTmux).for([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])(
  'the live view stands once, within $columns columns, and leaves nothing behind',
  async (size) => {
    await using model = await slowModel(1500, /What is 3 \+ 3/);
    const terminal = await vfInTerminal(
      sums(model, '--taskset.count', '16', '-c', '4', '--run', 'live'),
      size,
    );
    const live = await terminal.until((rows) => count(rows, 'waiting for the model') === 3);
    expect(count(live, 'Ctrl-C stops cleanly')).toBe(1);
    expect(count(live, 'addition · scripted · null · subprocess')).toBeGreaterThan(0);
    expect(Math.max(...live.map(({ length }) => length))).toBeLessThan(size.columns);

    const failed = await terminal.until((rows) => count(rows, 'errors   provider/') === 1);
    const log = failed.findIndex((row) => row.includes('has no score'));
    expect(log).toBeGreaterThanOrEqual(0);
    expect(log).toBeLessThan(failed.findIndex((row) => row.includes('of 16')));

    const over = await terminal.until((rows) => count(rows, 'exit ') > 0);
    expect(over.at(-1)).toBe('exit 3');
    const all = await terminal.history();
    expect(count(all, 'Ctrl-C stops cleanly')).toBe(0);
    expect(count(all, 'waiting for the model')).toBe(0);
    expect(count(all, 'has no score')).toBe(1);
    expect(count(all, 'unscored  1')).toBe(1);
  },
);

test.runIf(hasTmux)('a terminal resized in mid-run shows one view, of the new width', async () => {
  await using model = await slowModel(600_000);
  const terminal = await vfInTerminal(sums(model, '--taskset.count', '8', '-c', '8'), {
    columns: 120,
    rows: 40,
  });
  await terminal.until((rows) => count(rows, 'waiting for the model') === 3);
  for (const size of [
    { columns: 60, rows: 40 },
    { columns: 60, rows: 12 },
    { columns: 80, rows: 24 },
    { columns: 120, rows: 40 },
  ]) {
    await terminal.resize(size);
    // Two paints later what the terminal itself has wrapped is gone.
    const moment = /agent .*\d s/;
    const before = (await terminal.screen()).find((row) => moment.test(row));
    const rows = await terminal.until(
      (now) => count(now, 'of 8') === 1 && now.find((row) => moment.test(row)) !== before,
    );
    expect(count(rows, 'backing off')).toBe(1);
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(size.columns);
  }
  await terminal.type('C-c');
  const over = await terminal.until((rows) => count(rows, 'exit ') > 0);
  expect(over.at(-1)).toBe('exit 130');
  expect(count(over, 'vf resume')).toBeGreaterThan(0);
});

test.runIf(hasTmux).for([
  ['n', 'exit 2'],
  ['y', 'exit 0'],
] as const)('a large run that nobody bounded is asked about: %s ends in %s', async ([key, end]) => {
  await using model = await slowModel(0);
  const terminal = await vfInTerminal(sums(model, '--taskset.count', '250'), {
    columns: 100,
    rows: 30,
  });
  await terminal.until((rows) => count(rows, '250 rollouts. Go on? [y/N]') === 1);
  await terminal.type(key);
  await terminal.type('Enter');
  const over = await terminal.until((rows) => count(rows, 'exit ') > 0);
  expect(over.at(-1)).toBe(end);
  expect(count(over, '[usage/declined]')).toBe(key === 'n' ? 1 : 0);
});
