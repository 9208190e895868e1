import { expect } from 'vitest';
import { findPython } from '../src/find-python.ts';
import { startLocalModel } from '../src/index.ts';

const python = await findPython([10, 13], new AbortController().signal).catch(() => null);

/** Busy machines make the model a hundred times slower. */
export const timeout = 300_000;

/** A test that needs Python; on a machine without one, it checks that a caller is told so. */
export function withPython(body: (python: string) => Promise<void>): () => Promise<void> {
  if (python !== null) return () => body(python);
  return async () => {
    await expect(startLocalModel()).rejects.toMatchObject({ reason: 'no-python' });
  };
}
