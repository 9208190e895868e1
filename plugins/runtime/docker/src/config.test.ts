import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configSchema } from './config.ts';

test('docs/docker.md lists every option', async () => {
  const page = await readFile(new URL('../../../../docs/docker.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name ?? '');
  expect(listed).toEqual(expect.arrayContaining(Object.keys(configSchema.shape)));
});

test.each([
  ['memory_mb', 1],
  ['memory_mb', 1e20],
  ['shm_mb', 1e15],
  ['cpu', 0.001],
  ['network', 'host'],
  ['network', 'container:abc'],
  ['relay_image', 'X Y'],
  ['image', '--privileged'],
])('%s %s is refused by name before anything is asked of an engine', (name, value) => {
  const refused = configSchema.safeParse({ [name]: value });
  expect(refused.error?.issues).toMatchObject([{ path: [name] }]);
});

test.each([
  { memory_mb: 6, shm_mb: 0.5, cpu: 0.5, network: 'my_net.1-a', relay_image: 'r.example:5000/n:1' },
  { memory_mb: 1e6, network: 'none', image: 'debian' },
])('%o is taken', (config) => {
  expect(configSchema.safeParse(config).success).toBe(true);
});
