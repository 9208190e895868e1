import type { ExecOptions, ProgramResult, Spawned } from '@vf/core';
import { BoundedOutput, onLimit } from '@vf/runtime-kit';
import { Readable, Writable } from 'node:stream';
import { drained, endingOf } from '../process/ending.ts';
import type { Ending } from '../process/ending.ts';
import { killMembers, killMembersSync, sendSignal } from '../process/kill-members.ts';
import { markOf, membershipOf } from '../process/members.ts';
import type { Membership } from '../process/members.ts';
import { OomWatch } from '../process/oom-watch.ts';
import { startProgram } from '../process/start-program.ts';
import type { StartedProgram } from '../process/start-program.ts';

/** Where and with which environment a program starts. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const defaultMaxOutput = 1024 * 1024;

/** The programs of one box, and all that they started. */
export class Programs {
  readonly #boxId: string;
  readonly #running = new Set<StartedProgram>();
  #oom: OomWatch | null = null;
  #count = 0;

  constructor(boxId: string) {
    this.#boxId = boxId;
  }

  async run(argv: readonly string[], around: Surroundings, o: ExecOptions): Promise<ProgramResult> {
    const program = await this.#start(argv, around, {
      stdin: o.stdin !== undefined,
      signal: o.signal,
    });
    const { child } = program.started;
    const stdout = new BoundedOutput(o.maxOutputBytes ?? defaultMaxOutput);
    const stderr = new BoundedOutput(o.maxOutputBytes ?? defaultMaxOutput);
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    const settled = this.#settle(program, o, drained(child));
    child.stdin?.end(o.stdin);
    const result = await settled;
    return {
      ...result,
      stdout: stdout.toString(),
      stderr: stderr.toString(),
      truncated: stdout.truncated || stderr.truncated,
    };
  }

  async spawn(argv: readonly string[], around: Surroundings, o: ExecOptions): Promise<Spawned> {
    const program = await this.#start(argv, around, { stdin: true, signal: o.signal });
    const { child } = program.started;
    if (child.stdin === null || child.stdout === null || child.stderr === null) {
      throw new TypeError('a spawned program has three pipes');
    }
    const settled = this.#settle(program, o, Promise.resolve());
    // Asked for with `wait` or not: an abort is no unhandled rejection.
    settled.catch(() => {});
    if (o.stdin !== undefined) child.stdin.write(o.stdin);
    return {
      stdin: Writable.toWeb(child.stdin),
      stdout: bytesOf(child.stdout),
      stderr: bytesOf(child.stderr),
      kill: async (signal = 'SIGKILL') => {
        if (signal === 'SIGKILL') return killMembers(program.membership);
        sendSignal(-program.started.pid, signal);
      },
      wait: async () => ({ ...(await settled), stdout: '', stderr: '', truncated: false }),
    };
  }

  /** Ends everything that this box started, background processes too. */
  async kill(folder: string): Promise<void> {
    if (this.#count > 0) await killMembers(() => this.#membership(folder));
  }

  killSync(folder: string): void {
    if (this.#count > 0) killMembersSync(() => this.#membership(folder));
  }

  async #start(
    argv: readonly string[],
    around: Surroundings,
    { stdin, signal }: { readonly stdin: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<Program> {
    signal?.throwIfAborted();
    this.#oom ??= new OomWatch();
    const index = (this.#count += 1);
    const env = { ...around.env, ...markOf(this.#boxId, index) };
    const startedAt = performance.now();
    const started = await startProgram({ argv, cwd: around.cwd, env, stdin });
    this.#running.add(started);
    const ending = endingOf(started.child);
    void ending.then(() => this.#running.delete(started));
    const membership = (): Membership => ({
      ...membershipOf(this.#boxId, index),
      roots: this.#running.has(started) ? [started.pid] : [],
    });
    return { started, startedAt, ending, membership };
  }

  /** Waits for the program within its limits; past them its whole tree is killed. */
  async #settle(
    program: Program,
    { timeoutMs, signal }: ExecOptions,
    output: Promise<void>,
  ): Promise<Omit<ProgramResult, 'stdout' | 'stderr' | 'truncated'>> {
    let limit: 'timeout' | 'aborted' | null = null;
    const kills: Promise<void>[] = [];
    const off = onLimit({ timeoutMs, signal }, (reason) => {
      limit ??= reason;
      kills.push(killMembers(program.membership));
    });
    try {
      const ending = await program.ending;
      await output;
      await Promise.all(kills);
      if (signal?.aborted === true && limit === 'aborted') throw signal.reason;
      return this.#evidence(program, ending, limit === 'timeout');
    } finally {
      off();
    }
  }

  #evidence(
    program: Program,
    ending: Ending,
    timedOut: boolean,
  ): Omit<ProgramResult, 'stdout' | 'stderr' | 'truncated'> {
    return {
      exitCode: timedOut ? null : ending.exitCode,
      signal: ending.signal,
      timedOut,
      oomKilled: !timedOut && (this.#oom?.blames(ending) ?? false),
      durationMs: performance.now() - program.startedAt,
    };
  }

  #membership(folder: string): Membership {
    const roots = [...this.#running].map(({ pid }) => pid);
    return { ...membershipOf(this.#boxId), folder, roots };
  }
}

interface Program {
  readonly started: StartedProgram;
  readonly startedAt: number;
  readonly ending: Promise<Ending>;
  readonly membership: () => Membership;
}

function bytesOf(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}
