import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const bin = resolve(import.meta.dirname, '../../../apps/eval/bin/vf.js');

/** A line of `--json`. */
export interface VfEvent {
  readonly type?: string;
  readonly task?: string;
  readonly phase?: string;
  readonly [field: string]: unknown;
}

/** A place of its own for vf: outputs, cache and boxes, with nothing of this machine's. */
export interface VfPlace {
  readonly dir: string;
  /** Starts a command with `--json`. `onEvent` hears each line of its output. */
  start(args: readonly string[], onEvent?: (event: VfEvent) => void): ChildProcess;
  /** Runs one to its end. @throws with its stderr unless it exits with 0 */
  run(...args: readonly string[]): Promise<readonly VfEvent[]>;
}

export async function vfPlace(env: Readonly<Record<string, string>> = {}): Promise<VfPlace> {
  const dir = await mkdtemp(join(tmpdir(), 'vf-cli-'));
  const children = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  });
  const start: VfPlace['start'] = (args, onEvent) => {
    const child = spawn(process.execPath, ['--conditions=@vf/source', bin, ...args, '--json'], {
      cwd: dir,
      env: { PATH: process.env['PATH'], HOME: dir, TMPDIR: dir, VF_CACHE_DIR: dir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    createInterface({ input: child.stdout }).on('line', (line) =>
      onEvent?.(JSON.parse(line) as VfEvent),
    );
    return child;
  };
  return {
    dir,
    start,
    async run(...args) {
      const events: VfEvent[] = [];
      const child = start(args, (event) => events.push(event));
      let stderr = '';
      child.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0)
        throw new Error(
          `vf ${args[0]} ended with ${code}: ${stderr}${JSON.stringify(events.at(-1))}`,
        );
      return events;
    },
  };
}

/** Ends it as a crash would. */
export async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
}
