import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ServeProcess, vfCommand } from '../serve/serve-process.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

test('serve says where it listens, and that an address is taken', async () => {
  const taskset = join(root, 'examples/addition/addition.ts');
  await using server = await ServeProcess.start(root, taskset);
  expect(server.address).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/);
  const [node = '', ...rest] = vfCommand;
  const second = run(node, [...rest, 'serve', taskset, '--bind', server.address], { cwd: root });
  await expect(second).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('interception/failed'),
  });
});
