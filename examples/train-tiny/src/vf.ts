import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Folder of the example: of its tasksets and its config. */
const example = resolve(import.meta.dirname, '..');
const cli = resolve(example, '../../apps/eval/bin/vf.js');
const tail = 4000;

/** A `vf` process at work. */
export interface VfProcess {
  /** Takes the process away at once, as the kernel does when memory is short. */
  kill(): void;
  /** Resolves when it is gone, with what it wrote to stderr last; never rejects. */
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
}

/** Starts `vf ARGS --json`, and tells of each finished rollout. It ends with this process and with the signal. */
export function startVf(
  args: readonly string[],
  signal: AbortSignal,
  onFinished: () => void = () => undefined,
): VfProcess {
  const argv = ['--conditions=@vf/source', cli, ...args, '--json'];
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, VF_PROJECT: example },
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  signal.addEventListener('abort', kill, { once: true });
  createInterface(child.stdout).on('line', (line) => {
    if (isFinished(line)) onFinished();
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-tail);
  });
  const ended = closed(child).then((code) => {
    process.off('exit', kill);
    signal.removeEventListener('abort', kill);
    return { code, said };
  });
  return { kill, ended };
}

/** @throws Error when it ends with another exit code than 0 */
export async function vf(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { code, said } = await startVf(args, signal).ended;
  signal.throwIfAborted();
  if (code !== 0)
    throw new Error(
      `vf ${args.join(' ')} ended with ${code}: ${said || 'vf show RUN --errors says why'}`,
    );
}

/** A file of the example. */
export function exampleFile(name: string): string {
  return join(example, name);
}

function isFinished(line: string): boolean {
  return (
    line.startsWith('{') && (JSON.parse(line) as { type?: unknown }).type === 'rollout.finished'
  );
}

function closed(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => {
    child.once('error', () => done(null));
    child.once('close', (code) => done(code));
  });
}
