import { PassThrough, Readable, Writable } from 'node:stream';
import { once } from 'node:events';
import type { ExecOptions, ProgramResult, Spawned } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { BoundedOutput, onLimit } from '@vf/runtime-kit';
import { setTimeout as sleep } from 'node:timers/promises';
import { isEngineGone, statusOf, wordsOf } from '../engine/engine-error.ts';
import type { Life } from './life.ts';
import type { Execution, Launch } from './execution.ts';
import { execute } from './execution.ts';
import type { Frame } from './frames.ts';
import { killMarked } from './kill-marked.ts';
import type { Heads } from './refusals.ts';
import { engineWords, execFailed, refuseTooLong, startFailure } from './refusals.ts';

const defaultMaxOutput = 1024 * 1024;
const headBytes = 512;
const spawnBufferBytes = 1024 * 1024;
const killPauseMs = 300;
const killAttempts = 40;

/** Where, as whom and with which environment a program starts. */
export type Surroundings = Pick<Launch, 'cwd' | 'user'> & {
  readonly env: Readonly<Record<string, string>>;
};

/** The programs of one box. */
export class Programs {
  readonly #life: Life;
  readonly #id: string;
  #count = 0;

  constructor(id: string, life: Life) {
    this.#id = id;
    this.#life = life;
  }

  async run(argv: readonly string[], around: Surroundings, o: ExecOptions): Promise<ProgramResult> {
    const program = await this.#start(argv, around, o, o.stdin !== undefined);
    const max = o.maxOutputBytes ?? defaultMaxOutput;
    const outputs = { stdout: new BoundedOutput(max), stderr: new BoundedOutput(max) };
    const pumped = program.execution.pump(({ from, payload }) => outputs[from].push(payload));
    if (o.stdin !== undefined) program.execution.socket.end(o.stdin);
    const ending = await this.#settle(program, o, pumped, () => ({
      stdout: outputs.stdout.toString().slice(0, headBytes),
      stderr: outputs.stderr.toString().slice(0, headBytes),
    }));
    return {
      ...ending,
      stdout: outputs.stdout.toString(),
      stderr: outputs.stderr.toString(),
      truncated: outputs.stdout.truncated || outputs.stderr.truncated,
    };
  }

  async spawn(argv: readonly string[], around: Surroundings, o: ExecOptions): Promise<Spawned> {
    const program = await this.#start(argv, around, o, true);
    const { socket } = program.execution;
    const outputs = { stdout: pipe(), stderr: pipe() };
    const heads = { stdout: '', stderr: '' };
    const pumped = program.execution.pump(async ({ from, payload }: Frame) => {
      if (heads[from].length < headBytes) heads[from] += payload.toString();
      if (!outputs[from].write(payload)) await once(outputs[from], 'drain');
    });
    const settled = this.#settle(program, o, pumped, () => heads).finally(() => {
      outputs.stdout.end();
      outputs.stderr.end();
    });
    // Asked for with `wait` or not: an abort is no unhandled rejection.
    settled.catch(() => {});
    if (o.stdin !== undefined) socket.write(o.stdin);
    return {
      stdin: Writable.toWeb(socket),
      stdout: bytesOf(outputs.stdout),
      stderr: bytesOf(outputs.stderr),
      kill: (signal = 'SIGKILL') => this.#kill(program, signal),
      wait: async () => ({ ...(await settled), stdout: '', stderr: '', truncated: false }),
    };
  }

  async #start(
    argv: readonly string[],
    around: Surroundings,
    { signal }: ExecOptions,
    stdin: boolean,
  ): Promise<Program> {
    signal?.throwIfAborted();
    if (argv[0] === undefined) throw execFailed('nothing', 'there is no program to run');
    const mark = `${this.#id}.${(this.#count += 1)}.`;
    const env = { ...around.env, [markVariable]: mark };
    refuseTooLong(argv, env);
    const startedAt = performance.now();
    try {
      const execution = await execute(this.#life.container, { ...around, argv, env, stdin });
      return {
        execution,
        argv,
        startedAt,
        mark: `${markVariable}=${mark}`,
        user: around.user,
        state: { over: false },
      };
    } catch (error) {
      const isGone = isEngineGone(error) || [404, 409].includes(statusOf(error) ?? 0);
      // The engine answers 500 for a box that died between the making and the start of the program.
      if (isGone || !(await this.#life.survives(wordsOf(error)))) {
        throw await this.#life.goneError(error);
      }
      throw execFailed(argv[0], error);
    }
  }

  /** Waits for the program within its limits; past them its whole tree is killed. */
  async #settle(
    program: Program,
    { timeoutMs, signal }: ExecOptions,
    pumped: Promise<void>,
    heads: () => Heads,
  ): Promise<Omit<ProgramResult, 'stdout' | 'stderr' | 'truncated'>> {
    let limit: 'timeout' | 'aborted' | null = null;
    const off = onLimit({ timeoutMs, signal }, (reason) => {
      limit ??= reason;
      void this.#killUntilOver(program);
    });
    try {
      const exitCode = await program.execution.ending(pumped);
      program.state.over = true;
      const words = engineWords(exitCode, heads());
      if (words !== null && !(await this.#life.survives(words))) {
        throw await this.#life.goneError(words);
      }
      const failure = startFailure(exitCode, heads());
      if (failure !== null) throw execFailed(program.argv[0], failure);
      // It may have left some that are not its children any more.
      if (limit !== null) await this.#signal(program, 'KILL');
      if (signal?.aborted === true && limit === 'aborted') throw signal.reason;
      const timedOut = limit === 'timeout';
      const durationMs = performance.now() - program.startedAt;
      const mayBeOom = !timedOut && (exitCode === 137 || (exitCode !== 0 && durationMs > longMs));
      return {
        exitCode: timedOut ? null : exitCode,
        signal: timedOut ? 'SIGKILL' : null,
        timedOut,
        oomKilled: mayBeOom && (await this.#life.wasOutOfMemory()),
        durationMs,
      };
    } catch (error) {
      program.state.over = true;
      if (signal?.aborted === true && limit === 'aborted') throw signal.reason;
      throw VfError.isInstance(error) ? error : await this.#life.goneError(error);
    } finally {
      off();
    }
  }

  async #kill(program: Program, signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): Promise<void> {
    if (program.state.over && signal !== 'SIGKILL') return;
    await this.#signal(program, signals[signal]);
  }

  #signal({ mark, user }: Program, signal: 'KILL' | 'TERM' | 'INT'): Promise<void> {
    return killMarked(this.#life.container, mark, signal, user);
  }

  /** Again and again: the engine may have begun to start it only now. */
  async #killUntilOver(program: Program): Promise<void> {
    for (let attempt = 0; attempt < killAttempts; attempt++) {
      if (program.state.over) return;
      await this.#signal(program, 'KILL');
      await sleep(killPauseMs);
    }
    if (program.state.over) return;
    program.execution.abandon(execFailed(program.argv[0], 'it cannot be killed'));
  }
}

const signals = { SIGKILL: 'KILL', SIGTERM: 'TERM', SIGINT: 'INT' } as const;

/** One that fails after so long may have lost a process that it started; of a shorter one that is not asked. */
const longMs = 1000;

/** In the environment of every program, so that all that it starts can be found. */
const markVariable = 'VF_PROGRAM';

interface Program {
  readonly execution: Execution;
  readonly argv: readonly string[];
  /** As it stands in the environment. */
  readonly mark: string;
  readonly user: string | undefined;
  readonly startedAt: number;
  readonly state: { over: boolean };
}

function pipe(): PassThrough {
  return new PassThrough({ highWaterMark: spawnBufferBytes });
}

function bytesOf(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}
