import { z } from '@vf/core';
import type { Export } from '@vf/core';
import { expect, test } from 'vitest';
import { parseCommandLine } from '../src/args/parse-args.ts';
import { exportOptions } from '../src/export/export-options.ts';

const plugin: Export = {
  kind: 'export',
  specVersion: 1,
  id: 'e',
  config: z.strictObject({
    scorerRevision: z.string().optional(),
    size: z.number().optional(),
    names: z.array(z.string()).optional(),
  }),
  write: () => Promise.resolve({ written: 0, unit: 'episodes' }),
};

function read(argv: readonly string[], of: Export = plugin) {
  return exportOptions(of, 'e', parseCommandLine(argv, { booleans: [], values: [], config: true }));
}

test('an option that holds text is what was typed', async () => {
  const names = ['--export.names', '7', '--export.names', '1.0'];
  expect(await read(['--export.scorer-revision', '1.0', '--export.size', '1.0', ...names])).toEqual(
    { scorerRevision: '1.0', size: 1, names: ['7', '1.0'] },
  );
});

test('an export without options says so of each', async () => {
  const { config: _, ...bare } = plugin;
  await expect(read(['--export.scorer-revision', '1'], bare)).rejects.toMatchObject({
    code: 'config/invalid',
    problems: [{ path: 'export.scorer_revision', message: 'export e has no such option' }],
  });
});
