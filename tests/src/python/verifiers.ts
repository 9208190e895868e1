import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const version = '0.4.0';
const names = ['python3', 'python3.13', 'python3.12', 'python3.11'];
const fits =
  'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))';

/** The first Python 3.11 to 3.13 on the path that can make virtual environments; null when there is none. */
export async function findPython(): Promise<string | null> {
  for (const name of names) {
    if (
      await run(name, ['-c', fits]).then(
        () => true,
        () => false,
      )
    )
      return name;
  }
  return null;
}

/**
 * A Python with verifiers, installed once per machine below `VF_CACHE_DIR` or `~/.cache/vf`. uv does in 10 s of CPU
 * time what takes pip 90.
 */
export async function pythonWithVerifiers(python: string): Promise<string> {
  const root = process.env['VF_CACHE_DIR'];
  const cache = root ? resolve(root) : join(homedir(), '.cache', 'vf');
  const place = join(cache, `verifiers-${version}`);
  const installed = join(place, 'bin', 'python');
  if (existsSync(installed)) return installed;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(`${place}-`);
  const own = join(fresh, 'bin', 'python');
  await run(python, ['-m', 'venv', fresh]);
  await run(own, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', 'uv']);
  await run(own, ['-m', 'uv', 'pip', 'install', '-q', '--python', own, `verifiers==${version}`]);
  // Whole or not there; another process may have been faster.
  await rename(fresh, place).catch(() => rm(fresh, { recursive: true }));
  return installed;
}

/** What verifiers reads in the files: a list of episodes for each. */
export async function loadTraces(
  python: string,
  files: readonly string[],
): Promise<PeerEpisode[][]> {
  const script = resolve(import.meta.dirname, '../../python/load_traces.py');
  const { stdout } = await run(python, [script, ...files], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as PeerEpisode[][];
}

export interface PeerEpisode {
  readonly id: string;
  readonly task: string;
  readonly traces: readonly PeerTrace[];
}

export interface PeerTrace {
  readonly agent: string;
  readonly ok: boolean;
  readonly reward: number;
  readonly stop: string | null;
  readonly turns: number;
  readonly truncated: boolean;
  readonly errors: readonly string[];
  readonly branches: readonly {
    readonly roles: readonly string[];
    readonly tools: readonly string[];
    readonly sampled: number;
  }[];
  readonly input_tokens: number;
}
