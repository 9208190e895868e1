import type {
  AgentSession,
  HarnessCtx,
  Message,
  ProgramResult,
  RuntimeApi,
  Segment,
} from '@vf/core';
import { lastLines } from './last-lines.ts';
import { textPrompt } from './text-prompt.ts';

/** One run of the agent's program: one user turn. */
export interface CliCommand {
  readonly argv: readonly string[];
  /** The run's own environment for the agent wins over it. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Written before the program starts, as the agent's own `files` are. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What the program's output says about its turn. */
export interface CliEvidence {
  /** Names the conversation for a following turn; null when there is none to go on with. */
  readonly session: string | null;
  /** The agent's own words about what went wrong; null when nothing did. */
  readonly failure: string | null;
}

export interface CliAgent {
  readonly ctx: HarnessCtx;
  /** Written before the first turn, readable by the agent's user alone; paths are the box's. */
  readonly files?: Readonly<Record<string, string>>;
  /** `session`: the conversation to go on with; null starts one. */
  command(prompt: string, session: string | null): CliCommand;
  evidence(program: ProgramResult): CliEvidence;
}

/**
 * A session of an agent that is a command-line program: one process a turn, in the rollout's workdir.
 * A cancel kills the process and all it started.
 */
export async function cliSession(agent: CliAgent): Promise<AgentSession> {
  await writeFiles(agent.ctx.runtime, agent.files ?? {}, agent.ctx.signal);
  const session = new CliSession(agent);
  return {
    turn: (prompt, turnSignal) => session.turn(prompt, turnSignal),
    close: () => session.close(),
  };
}

class CliSession {
  readonly #agent: CliAgent;
  readonly #closed = new AbortController();
  #running: Promise<ProgramResult> | null = null;
  #session: string | null = null;

  constructor(agent: CliAgent) {
    this.#agent = agent;
  }

  async turn(prompt: string | readonly Message[], signal: AbortSignal): Promise<Segment> {
    const command = this.#agent.command(textPrompt(prompt), this.#session);
    this.#running = this.#run(command, AbortSignal.any([signal, this.#closed.signal]));
    const program = await this.#running;
    const { session, failure } = this.#agent.evidence(program);
    this.#session = session ?? this.#session;
    return segmentOf(program, failure);
  }

  /** Ends a turn that still runs. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running?.catch(() => null);
  }

  async #run(command: CliCommand, signal: AbortSignal): Promise<ProgramResult> {
    const { argv, env, stdin = '', files } = command;
    const { runtime, env: wanted } = this.#agent.ctx;
    if (files !== undefined) await writeFiles(runtime, files, signal);
    signal.throwIfAborted();
    return runtime.run(argv, { env: { ...env, ...wanted }, stdin, signal });
  }
}

async function writeFiles(
  runtime: RuntimeApi,
  files: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await runtime.write(path, text, { mode: 0o600, signal });
  }
}

function segmentOf(program: ProgramResult, failure: string | null): Segment {
  if (failure !== null) return { status: 'failed', program, detail: lastLines(failure) };
  if (program.exitCode === 0) return { status: 'completed', program };
  const words = lastLines(program.stderr) || lastLines(program.stdout);
  const detail = program.oomKilled
    ? `out of memory in its box (--runtime.memory_mb); ${words}`
    : words;
  return { status: 'failed', program, detail };
}
