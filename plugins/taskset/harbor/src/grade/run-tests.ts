import { join } from 'node:path';
import type { Log, ProgramResult, RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { send } from '../box/send.ts';
import { lastLines, mostSaidBytes } from '../box/said.ts';
import { asRoot, howItEnded, lastWords, userOption } from '../box/shell.ts';
import type { HarborTask } from '../folder/harbor-task.ts';
import { isExecutable, isFile } from '../folder/look.ts';
import type { Ended } from '../play/play.ts';
import { parseRewardJson, parseRewardText } from './reward-file.ts';
import type { Rewards } from './rewards.ts';

const logs = '/logs/verifier';
const output = `${logs}/test-stdout.txt`;
const mostBytes = 1024 * 1024;
/** Of a folder that is kept with the run. */
const mostKeptKib = 32 * 1024;
/** Milliseconds for a look at tests that were ended. */
const lastLookMs = 2_500;

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
  readonly log: Log;
  /** Asked once they are sent, before they run: are they still those of the task? */
  whenSent(): Promise<void>;
  /** Told how the tests ended, before what they report is read. */
  onEnd(ended: Ended): void;
  /** Keeps what they left with the run. */
  keep(): Promise<void>;
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
  await run.whenSent();
  if (!(await isEntryExecutable(run.tests)))
    await asRoot(runtime, ['chmod', '+x', '/tests/test.sh'], signal);
  const ended = await performTests(runtime, run);
  const left = await leftOf(runtime, signal);
  run.onEnd({ exit_code: ended.exitCode, output: left.output });
  await keepLogs(run, left);
  const json = await contentOf(runtime, 'reward.json', signal);
  if (json !== null) return parseRewardJson(json);
  const text = await contentOf(runtime, 'reward.txt', signal);
  if (text !== null) return parseRewardText(text);
  throw new VfError(
    'scoring/hook_failed',
    `${run.name}: the verifier left no reward file; tests/test.sh ${howItEnded(ended)}${lastWords(left.output)}`,
    { hint: 'tests/test.sh must write /logs/verifier/reward.txt or reward.json' },
  );
}

/** What tests have said when their time is up is told, too. */
async function performTests(runtime: RuntimeApi, run: TestRun): Promise<ProgramResult> {
  const { user, env, signal } = run;
  try {
    return await runtime.run(['sh', '-c', `(/tests/test.sh) > ${output} 2>&1`], {
      ...userOption(user),
      env,
      signal,
    });
  } catch (error) {
    if (signal.aborted) {
      const { output: said } = await leftOf(runtime, AbortSignal.timeout(lastLookMs));
      run.onEnd({ exit_code: null, output: said });
    }
    throw error;
  }
}

async function keepLogs(run: TestRun, { kib }: Left): Promise<void> {
  if (kib <= mostKeptKib) return run.keep();
  run.log.warn('what the verifier left is too big to keep', { path: logs, mib: kib >> 10 });
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

interface Left {
  /** The last of what the tests printed. */
  readonly output: string;
  /** Size of all in the verifier's folder. */
  readonly kib: number;
}

/** One program for both: each is a round trip to the engine. */
const look = 'tail -c "$1" "$2" 2>/dev/null; echo; du -sk "$3" 2>/dev/null';

async function leftOf(runtime: RuntimeApi, signal: AbortSignal): Promise<Left> {
  const argv = ['sh', '-c', look, 'sh', String(mostSaidBytes), output, logs];
  const { stdout } = await runtime.run(argv, { user: 0, signal });
  const [, said = stdout, kib = '0'] = /^([^]*)\n(\d+)\s[^\n]*\n?$/.exec(stdout) ?? [];
  return { output: lastLines(said), kib: Number(kib) };
}
