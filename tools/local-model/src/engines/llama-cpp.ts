import { pythonFile } from '../python-file.ts';
import type { EngineSpec } from './engine-spec.ts';
import { WEIGHTS } from './weights.ts';

/** llama.cpp's own HTTP server as a Python module. */
export const llamaCpp: EngineSpec = {
  id: 'llama.cpp',
  folder: 'xllamacpp-2026.10.11549',
  pythons: [10, 13],
  packages: ['xllamacpp==2026.10.11549', WEIGHTS],
  disk: 0.3,
  memory: 0.5,
  startLimit: 120_000,
  ctx: 4096,
  needsCheckpoint: false,
  command({ python, more, model, template, port, slots, ctx, threads, weights }) {
    const values = { port, slots, ctx, threads, model, template };
    const flags = Object.entries(values).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    const file = weights === null ? [] : ['--weights', weights];
    return [python, pythonFile('serve.py'), ...flags, ...file, ...more];
  },
};
