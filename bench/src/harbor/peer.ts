import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readFile, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { spentBy } from './program.ts';
import type { Spent } from './program.ts';

const version = '0.25.0';
const uv = 'uv';

/** Rewards by key, of each task by its name. */
export type Rewards = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Harbor's own program, installed by uv into a folder of the cache unless one is given.
 * @throws VfError usage/not_found when neither is there
 */
export async function harborProgram(given: string | undefined): Promise<string> {
  if (given !== undefined) return isThere(given);
  const folder = join(homedir(), '.cache', 'vf-bench', `harbor-${version}`);
  const program = join(folder, 'bin', 'harbor');
  try {
    await access(program);
  } catch {
    await mkdir(folder, { recursive: true });
    runUv('venv', '--quiet', '--clear', '--python', '>=3.12', folder);
    const python = join(folder, 'bin', 'python');
    runUv('pip', 'install', '--quiet', '--python', python, `harbor==${version}`);
  }
  return program;
}

async function isThere(program: string): Promise<string> {
  await access(program, constants.X_OK).catch(() => {
    throw new VfError('usage/not_found', `${program} is no program`, {
      hint: '--harbor PROGRAM is the path of the `harbor` of an installation of Harbor',
    });
  });
  return program;
}

function runUv(...args: readonly string[]): void {
  try {
    execFileSync(uv, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const what = isMissing ? `${uv} is not there` : `${uv} ${args[0]} failed; its words are above`;
    throw new VfError('usage/not_found', `${what}: Harbor ${version} cannot be installed`, {
      cause: error,
      hint: 'install uv, or --harbor PROGRAM says where Harbor is, or --only-vf leaves it out',
    });
  }
}

export interface Job {
  readonly program: string;
  /** A task or a folder of tasks. */
  readonly path: string;
  readonly trials: number;
  readonly atOnce: number;
  /** Where its output goes. */
  readonly out: string;
}

/** Plays tasks with the oracle. */
export function runHarbor({ program, path, trials, atOnce, out }: Job): Promise<Spent> {
  const options = ['-k', String(trials), '-n', String(atOnce), '-o', out, '--job-name', 'job'];
  const argv = [program, 'run', '-p', path, '-a', 'oracle', '-e', 'docker', ...options, '-y', '-q'];
  // It reports its use to its makers otherwise, which costs it seconds.
  return spentBy(argv, out, { ...process.env, HARBOR_TELEMETRY: '0' });
}

interface TrialResult {
  readonly task_name: string;
  readonly verifier_result: { readonly rewards: Readonly<Record<string, number>> } | null;
}

export async function harborRewards(out: string): Promise<Rewards> {
  const job = join(out, 'job');
  const trials = (await readdir(job, { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  );
  const results = await Promise.all(
    trials.map(async ({ name }) => {
      const text = await readFile(join(job, name, 'result.json'), 'utf8');
      return JSON.parse(text) as TrialResult;
    }),
  );
  return Object.fromEntries(
    results.map(({ task_name: name, verifier_result: result }) => [name, result?.rewards ?? {}]),
  );
}
