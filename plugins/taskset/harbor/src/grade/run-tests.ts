import { join } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { send } from '../box/send.ts';
import { asRoot, howItEnded, lastWords, userOption } from '../box/shell.ts';
import type { HarborTask } from '../folder/harbor-task.ts';
import { isExecutable, isFile } from '../folder/look.ts';
import { parseRewardJson, parseRewardText } from './reward-file.ts';
import type { Rewards } from './rewards.ts';

const logs = '/logs/verifier';
const output = `${logs}/test-stdout.txt`;
const mostBytes = 1024 * 1024;

export interface TestRun {
  /** For messages: the task, and its step. */
  readonly name: string;
  readonly task: Pick<HarborTask, 'dir' | 'leavesOut' | 'hasIgnored'>;
  /** Folders of the host that are sent to /tests, later ones over earlier ones. */
  readonly tests: readonly string[];
  /** Nothing of before may be in /tests and the logs; else only reward files are cleared. */
  readonly isClean: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | number | null;
  readonly signal: AbortSignal;
}

/**
 * Brings the tests into the box, runs them and reads what they report. How they exit says nothing.
 * @throws VfError scoring/hook_failed when they leave no reward file, scoring/invalid_score for one that is none
 */
export async function runTests(runtime: RuntimeApi, run: TestRun): Promise<Rewards> {
  const { signal } = run;
  const stale = run.isClean ? ['/tests', logs] : [`${logs}/reward.txt`, `${logs}/reward.json`];
  const clear = `rm -rf ${stale.join(' ')} && mkdir -p /tests ${logs} && chmod 777 ${logs}`;
  await asRoot(runtime, ['sh', '-c', clear], signal);
  for (const folder of run.tests) await send(runtime, run.task, folder, '/tests', signal);
  if (!(await isEntryExecutable(run.tests)))
    await asRoot(runtime, ['chmod', '+x', '/tests/test.sh'], signal);
  const ended = await runtime.run(['sh', '-c', `(/tests/test.sh) > ${output} 2>&1`], {
    ...userOption(run.user),
    env: run.env,
    signal,
  });
  const json = await contentOf(runtime, 'reward.json', signal);
  if (json !== null) return parseRewardJson(json);
  const text = await contentOf(runtime, 'reward.txt', signal);
  if (text !== null) return parseRewardText(text);
  const said = lastWords(await outputOf(runtime, signal));
  throw new VfError(
    'scoring/hook_failed',
    `${run.name}: the verifier left no reward file; tests/test.sh ${howItEnded(ended)}${said}`,
    { hint: 'tests/test.sh must write /logs/verifier/reward.txt or reward.json' },
  );
}

/** Of the last folder that has one: it is sent over the others. */
async function isEntryExecutable(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders.toReversed()) {
    const entry = join(folder, 'test.sh');
    if (await isFile(entry)) return isExecutable(entry);
  }
  return false;
}

async function contentOf(
  runtime: RuntimeApi,
  name: string,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    return await runtime.read(`${logs}/${name}`, { maxBytes: mostBytes, signal });
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    if (error.code === 'runtime/file_not_found') return null;
    if (error.code !== 'runtime/file_too_large') throw error;
    throw new VfError('scoring/invalid_score', `the verifier’s ${name} is over 1 MiB`, {
      cause: error,
    });
  }
}

async function outputOf(runtime: RuntimeApi, signal: AbortSignal): Promise<string> {
  const { stdout } = await runtime.run(['tail', '-n', '20', output], { user: 0, signal });
  return stdout;
}
