import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { boxes, docker, leftBehind, noEngine } from './engine.ts';

describe.skipIf(noEngine)('a box that ends as it starts', () => {
  const open = boxes();

  test.each([
    ['an image with nothing in it', ['FROM scratch']],
    ['a PATH that leads nowhere', ['FROM busybox:latest', 'ENV PATH=/nope']],
  ])('%s: image, command, exit code and last lines are told', async (_name, lines) => {
    const failing = open({ build: { context: await contextOf(lines) } });
    await expect(failing).rejects.toMatchObject({
      code: 'runtime/boot_failed',
      message: expect.stringMatching(
        /^\["sh","-c",.*\], which keeps a box of image vf-build:\w+, ended with exit code \d+, [^]*last lines:\n.*sh/,
      ) as string,
      hint: expect.stringContaining('PATH') as string,
      retryable: false,
    });
    expect(await leftBehind()).toEqual([]);
  });

  test('too few processes: the option is named', async () => {
    await expect(open({ config: { pids: 1 }, image: 'busybox:latest' })).rejects.toMatchObject({
      code: 'runtime/boot_failed',
      message: expect.stringContaining('image busybox:latest') as string,
      hint: expect.stringContaining('--runtime.pids') as string,
    });
  });
});

/** A folder to build an image of; both go after the test. */
async function contextOf(lines: readonly string[]): Promise<string> {
  const context = await mkdtemp(join(tmpdir(), 'vf-dead-'));
  vi.stubEnv('VF_CACHE_DIR', join(context, 'cache'));
  const tag = `vf-test-${crypto.randomUUID()}`;
  await writeFile(join(context, 'Dockerfile'), `${lines.join('\n')}\nLABEL test=${tag}\n`);
  onTestFinished(async () => {
    const filters = { label: [`test=${tag}`] };
    for (const { Id } of await docker.listImages({ filters }))
      await docker.getImage(Id).remove({ force: true });
    await rm(context, { recursive: true });
  });
  return context;
}
