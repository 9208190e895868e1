import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { textOf } from '@vf/core/trace';
import { callTool, fail, say, startScriptedModel } from '@vf/testkit';
import type { Script } from '@vf/testkit';
import { expect, onTestFinished, test } from 'vitest';

const here = resolve(import.meta.dirname, '..');
const bin = resolve(here, '../../apps/eval/bin/vf.js');

/** Runs vf in the folder of this package. @returns its events, with `--json` */
async function vf(...args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'vf-example-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const argv = ['--conditions=@vf/source', bin, ...args, '-o', folder, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: here }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
}

interface Event {
  readonly type: string;
  readonly task?: string;
  readonly reward?: number | null;
  readonly error?: { readonly code: string; readonly message: string } | null;
  readonly exit_code?: number;
}

/** Has the words counted, and passes the number on. */
const counting: Script = ({ messages }) => {
  const last = messages.at(-1);
  const said = textOf(last?.content ?? '');
  if (last?.role === 'tool') return say(`There are ${said} words.`);
  return callTool('count_words', { file: /in (\S+)\?/.exec(said)?.[1] });
};

test('the agent counts words in its box, through vf', { timeout: 60_000 }, async () => {
  await using model = await startScriptedModel({ script: counting });
  const events = await vf('eval', 'word-counts', '--harness', 'word-count', ...at(model.url));
  const rewards = events.flatMap(({ task, reward }) =>
    task === undefined ? [] : [[task, reward]],
  );
  expect(Object.fromEntries(rewards)).toEqual({ 'poem.txt': 1, 'list.txt': 1, 'empty.txt': 1 });
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', exit_code: 0 });
  expect(model.turns).toHaveLength(6);
  expect(model.turns.at(-1)?.call?.tools.map(({ name }) => name)).toEqual(['count_words']);
});

test('a provider that refuses is told by the trace, not scored', { timeout: 60_000 }, async () => {
  await using model = await startScriptedModel({ script: () => fail(401) });
  const events = await vf('eval', 'word-counts', '--harness', 'word-count', ...at(model.url));
  const finished = events.filter(({ type }) => type === 'rollout.finished');
  expect(finished.map(({ reward, error }) => [reward, error?.code])).toEqual(
    Array.from({ length: 3 }, () => [null, 'provider/auth']),
  );
});

function at(url: string): string[] {
  return ['-m', 'scripted', '--base-url', `${url}/v1`];
}
