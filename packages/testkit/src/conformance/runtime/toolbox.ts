import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolboxEntry } from '@vf/core';
import { describe, expect, test } from 'vitest';
import type { RuntimeFixture } from './fixture.ts';
import { uniqueName } from './fixture.ts';
import { output, sh } from './shell.ts';

/** `toolbox`: what is installed once per machine. */
export function toolboxTests(at: RuntimeFixture): void {
  describe('toolbox', () => {
    test('is filled once, however many boxes ask at once, and can be run', async () => {
      const boxes = await Promise.all([at.open(), at.open()]);
      const { entry, fills } = script(uniqueName());
      const asked = boxes.flatMap((box) => [
        box.toolbox(entry, at.signal),
        box.toolbox(entry, at.signal),
      ]);
      const paths = await Promise.all(asked);
      expect(new Set(paths.map((path) => path === null)).size).toBe(1);
      expect(fills).toHaveLength(paths[0] === null ? 0 : 1);
      for (const [index, path] of paths.entries()) {
        const box = boxes[Math.floor(index / 2)];
        if (path === null || box === undefined) continue;
        expect(await output(box, '"$1/tool"', [path])).toBe('tool ran');
      }
    });

    test('a failed filling leaves nothing and is tried again', async () => {
      const box = await at.open();
      const { entry, fills } = script(uniqueName(), 1);
      const first = await box.toolbox(entry, at.signal).catch((error: unknown) => String(error));
      if (first === null) return;
      expect(first).toContain('no space');
      const path = await box.toolbox(entry, at.signal);
      expect(fills).toEqual([[], []]);
      expect((await sh(box, '"$1/tool"', [path ?? ''])).stdout).toBe('tool ran\n');
    });

    test('an abort while it is filled rejects', async () => {
      const box = await at.open();
      const abort = new AbortController();
      const waiting = box.toolbox(
        {
          key: uniqueName(),
          fill: (_dir, signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('filling stopped')));
              abort.abort();
            }),
        },
        abort.signal,
      );
      const outcome = await waiting.then(
        (path) => path,
        () => 'rejected',
      );
      expect([null, 'rejected']).toContain(outcome);
    });
  });
}

/** A tool that is a script; its first `failures` fillings fail half-way. `fills`: what was in the folder each time. */
function script(key: string, failures = 0): { entry: ToolboxEntry; fills: string[][] } {
  const fills: string[][] = [];
  const fill = async (dir: string): Promise<void> => {
    fills.push(await readdir(dir));
    await writeFile(join(dir, 'tool'), '#!/bin/sh\necho tool ran\n', { mode: 0o755 });
    if (fills.length <= failures) throw new Error('no space left');
  };
  return { entry: { key, fill }, fills };
}
