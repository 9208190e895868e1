/** How a program in a box ended. `exitCode` is null when a signal or a timeout ended it. */
export interface ProgramResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Output beyond `maxOutputBytes` was dropped from the middle; the text says where. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** The kernel killed it, or for a long one that failed a process that it started, for want of memory. */
  readonly oomKilled: boolean;
  readonly durationMs: number;
}

/** How a program runs in a box; what is left out is as the box has it. */
export interface ExecOptions {
  /** Default: the box's workdir. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: string | number;
  readonly stdin?: Uint8Array | string;
  /** On expiry the whole process tree is killed and `timedOut` is set. */
  readonly timeoutMs?: number;
  /** Per stream; default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** A service of a compose set. */
  readonly service?: string;
  readonly signal?: AbortSignal;
}

/** A running program with live stdio. */
export interface Spawned {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  kill(signal?: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** stdout and stderr of the result are empty: they were streamed. */
  wait(): Promise<ProgramResult>;
}
