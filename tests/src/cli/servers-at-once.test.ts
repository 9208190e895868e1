import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { vfPlace } from './vf.ts';

const taskset = `
import { defineTaskset } from '@vf/core';
import { judge } from '@vf/judge';
export default defineTaskset({
  load: () => [{ prompt: '2 + 3' }],
  rewards: { style: judge({ name: 'style', model: 'm', rubric: 'Is it plain?' }) },
});
`;

test('models of a run are asked for at once: none waits until another has answered', async () => {
  const asked = new Set<string>();
  const all = Promise.withResolvers<void>();
  // Refuses every key, once each of the two was asked.
  const start = async (name: string): Promise<string> => {
    const server = createServer((_request, response) => {
      asked.add(name);
      if (asked.size === 2) all.resolve();
      void all.promise.then(() => response.writeHead(401).end('{}'));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  };
  const { dir, run } = await vfPlace();
  await writeFile(join(dir, 'tasks.ts'), taskset);
  const config = `model = "m"
client.base_url = "${await start('agent')}"
taskset.id = "./tasks.ts"
judges.style.client.base_url = "${await start('judge')}"
`;
  await writeFile(join(dir, 'config.toml'), config);
  await expect(run('eval', '@', 'config.toml')).rejects.toThrow(/provider\/auth/);
});
