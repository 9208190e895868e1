import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { boxes, docker, leftBehind, noEngine } from './engine.ts';

describe.skipIf(noEngine)('an ENTRYPOINT that is run', () => {
  const open = boxes();

  /** A box of an image with this ENTRYPOINT. */
  async function boxWith(entrypoint: readonly string[]) {
    const context = await mkdtemp(join(tmpdir(), 'vf-entrypoint-'));
    vi.stubEnv('VF_CACHE_DIR', join(context, 'cache'));
    const tag = `vf-test-${crypto.randomUUID()}`;
    const lines = ['FROM busybox:latest', `ENTRYPOINT ${JSON.stringify(entrypoint)}`];
    await writeFile(join(context, 'Dockerfile'), `${lines.join('\n')}\nLABEL test=${tag}\n`);
    onTestFinished(async () => {
      const filters = { label: [`test=${tag}`] };
      for (const { Id } of await docker.listImages({ filters }))
        await docker.getImage(Id).remove({ force: true });
      await rm(context, { recursive: true });
    });
    return open({ build: { context }, runsEntrypoint: true });
  }

  test.each([
    { name: 'at once', entrypoint: ['/bin/true'], code: 0 },
    { name: 'with a failure', entrypoint: ['sh', '-c', 'exit 3'], code: 3 },
  ])('and ends $name is named in the error', async ({ entrypoint, code }) => {
    await expect(boxWith(entrypoint)).rejects.toMatchObject({
      code: 'runtime/boot_failed',
      retryable: false,
      message: expect.stringMatching(
        new RegExp(
          `^ENTRYPOINT \\["${entrypoint[0]}".* of image \\S+ ended with exit code ${code}`,
        ),
      ) as string,
      hint: expect.stringContaining('exec "$@"') as string,
    });
    expect(await leftBehind()).toEqual([]);
  });

  test('and runs what it is given makes a box', async () => {
    const box = await boxWith(['sh', '-c', 'exec "$@"', 'sh']);
    expect((await box.run(['echo', 'here'])).stdout).toBe('here\n');
    await box.stop();
  });
});
