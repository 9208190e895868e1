import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Frame } from './frames.ts';
import { framesOf } from './frames.ts';

/** What the engine is asked to start in a container. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: string;
  /** Without it the program reads from an empty file. */
  readonly stdin?: boolean;
}

/** The engine itself ends the stream two seconds after the program, unless it is busy. */
const quietMs = 3000;
const firstPauseMs = 50;
const longestPauseMs = 1000;

/** A program that the engine has started; whatever it was given, its own ending is the truth. */
export class Execution {
  readonly socket: Duplex;
  readonly #exec: Docker.Exec;
  #lastData = 0;
  #closed = false;
  #abandoned: Error | null = null;

  constructor(exec: Docker.Exec, socket: Duplex) {
    this.#exec = exec;
    this.socket = socket;
    // A program may close its stdin before all is written.
    socket.on('error', () => {});
  }

  /** Gives each frame to `sink`, waiting where that waits, until the engine ends the stream. Never rejects. */
  async pump(sink: (frame: Frame) => Promise<void> | void): Promise<void> {
    try {
      for await (const frame of framesOf(this.socket)) {
        this.#lastData = performance.now();
        await sink(frame);
      }
    } catch {
      // The engine cut it; what became of the program is asked separately.
    }
    this.#closed = true;
  }

  /**
   * Exit code once the program itself has ended and its output came through; something it left in the background may
   * hold the stream open for ever. @throws what the engine answers when the container is gone
   */
  async ending(pumped: Promise<void>): Promise<number> {
    const exitCode = await this.#exitCode(pumped);
    while (!this.#closed && performance.now() - this.#lastData < quietMs) {
      await within(quietMs, pumped);
    }
    this.socket.destroy();
    return exitCode;
  }

  /** Waits no longer for its ending: `ending` rejects with the reason. */
  abandon(reason: Error): void {
    this.#abandoned = reason;
    this.socket.destroy();
  }

  async #exitCode(pumped: Promise<void>): Promise<number> {
    let pause = firstPauseMs;
    for (let wasClosed = false; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
      await (wasClosed ? sleep(pause) : within(pause, pumped));
      if (this.#closed && !wasClosed) {
        wasClosed = true;
        pause = firstPauseMs / 4;
      }
      if (this.#abandoned !== null) throw this.#abandoned;
      const { Running, ExitCode } = await this.#exec.inspect();
      if (!Running && ExitCode !== null) {
        this.#lastData = performance.now();
        return ExitCode;
      }
    }
  }
}

/** @throws what the engine answers when it refuses the start */
export async function execute(container: Docker.Container, launch: Launch): Promise<Execution> {
  const exec = await container.exec({
    Cmd: [...launch.argv],
    Env: Object.entries(launch.env ?? {}).map(([name, value]) => `${name}=${value}`),
    AttachStdin: launch.stdin === true,
    AttachStdout: true,
    AttachStderr: true,
    ...(launch.cwd === undefined ? {} : { WorkingDir: launch.cwd }),
    ...(launch.user === undefined ? {} : { User: launch.user }),
  });
  const socket = await exec.start({ hijack: true, stdin: launch.stdin === true });
  return new Execution(exec, socket);
}

/** Output and exit code of a short program of ours. */
export async function outputOf(
  container: Docker.Container,
  launch: Launch,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const execution = await execute(container, launch);
  const read = { stdout: '', stderr: '' };
  const pumped = execution.pump(({ from, payload }) => void (read[from] += payload.toString()));
  return { exitCode: await execution.ending(pumped), ...read };
}

/** Waits for `first`, at most so long; leaves no timer. */
async function within(ms: number, first: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([first, sleep(ms, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
}
