import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configSchema } from './config.ts';

test('docs/docker.md lists every option', async () => {
  const page = await readFile(new URL('../../../../docs/docker.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name ?? '');
  expect(listed).toEqual(expect.arrayContaining(Object.keys(configSchema.shape)));
});
