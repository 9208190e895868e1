import { availableParallelism } from 'node:os';
import { checkpointFolder } from './checkpoint.ts';
import { specs } from './engines/all-engines.ts';
import type { EngineSpec, LocalEngine, ServeOptions } from './engines/engine-spec.ts';
import { installedPython } from './installed-python.ts';
import { MODEL } from './model.ts';
import { pythonFile } from './python-file.ts';

/** An installed engine that can be started. */
export interface Servable {
  readonly spec: EngineSpec;
  /** Hugging Face folder of the weights that it serves; null when it reads another format. */
  readonly checkpoint: string | null;
  /** The command line of its server; `more` are options of the program that keeps it alive. */
  command(options: ServeOptions, more?: readonly string[]): readonly string[];
}

/**
 * Installs what is not there.
 * @throws LocalModelUnavailable `no-python` or `install-failed`
 */
export async function servable(engine: LocalEngine, signal: AbortSignal): Promise<Servable> {
  const spec = specs[engine];
  const python = await installedPython(spec, signal);
  const checkpoint = spec.needsCheckpoint ? await checkpointFolder(python, signal) : null;
  return {
    spec,
    checkpoint,
    command: ({ port, slots, ctx, threads, weights }, more = []) =>
      spec.command({
        python,
        checkpoint,
        model: MODEL,
        template: pythonFile('chat-template.jinja'),
        port: port ?? 0,
        slots: slots ?? 4,
        ctx: ctx ?? spec.ctx,
        threads: threads ?? spareThreads(),
        weights: weights ?? null,
        more,
      }),
  };
}

/**
 * One core stays free: threads of the engines spin while they wait for each other, and crawl when one
 * has no core.
 */
function spareThreads(): number {
  return Math.max(1, availableParallelism() - 1);
}
