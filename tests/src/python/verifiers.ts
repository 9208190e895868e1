import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { cachedVenv } from './venv.ts';

const run = promisify(execFile);
/** The released one, and the newest that trainers follow, which holds tokens in arrays and names fields of tasks anew. */
export const verifiersVersions = ['0.4.0', '0.4.1.dev86'] as const;

/** A Python with verifiers, installed once per machine. */
export function pythonWithVerifiers(
  python: string,
  version: (typeof verifiersVersions)[number] = '0.4.0',
): Promise<string> {
  return cachedVenv(python, `verifiers-${version}`, [[`verifiers==${version}`]]);
}

/** What verifiers reads in the files: a list of episodes for each. */
export async function loadTraces(
  python: string,
  files: readonly string[],
): Promise<PeerEpisode[][]> {
  const script = resolve(import.meta.dirname, '../../python/load_traces.py');
  const { stdout } = await run(python, ['-B', script, ...files], {
    maxBuffer: 1 << 26,
    env: { ...process.env, PYTHONPATH: resolve(import.meta.dirname, '../../../python/src') },
  });
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
  /** As `reward_of` of vf-env has it. */
  readonly score: number | null;
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
