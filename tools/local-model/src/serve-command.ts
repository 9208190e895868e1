import { availableParallelism } from 'node:os';
import { pythonFile } from './engine.ts';

/** The name under which the model is served. */
export const MODEL = 'smollm2-135m-instruct';

export interface ServeOptions {
  /** default: a free one */
  readonly port?: number;
  /** requests that run at once; more wait; default 4 */
  readonly slots?: number;
  /** tokens that one request may hold, prompt and reply; default 4096 */
  readonly ctx?: number;
}

/** The command line of serve.py. */
export function serveCommand(
  python: string,
  options: ServeOptions,
  more: readonly string[] = [],
): string[] {
  const values = {
    port: options.port ?? 0,
    slots: options.slots ?? 4,
    ctx: options.ctx ?? 4096,
    threads: threads(),
    model: MODEL,
    template: pythonFile('chat-template.jinja'),
  };
  const flags = Object.entries(values).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  return [python, pythonFile('serve.py'), ...flags, ...more];
}

/**
 * One core stays free: llama.cpp's threads spin while they wait for each other, and crawl when one
 * has no core.
 */
function threads(): number {
  return Math.max(1, availableParallelism() - 1);
}
