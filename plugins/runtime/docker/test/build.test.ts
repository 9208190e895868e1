import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { engineAt } from '../src/engine/engine.ts';
import { builtImage } from '../src/image/build.ts';
import { docker, noEngine, signal } from './engine.ts';

describe.skipIf(noEngine)('images of Dockerfiles', () => {
  let context: string;
  let cache: string;
  const engine = engineAt(undefined);
  beforeEach(async () => {
    context = await mkdtemp(join(tmpdir(), 'vf-context-'));
    cache = await mkdtemp(join(tmpdir(), 'vf-cache-'));
    vi.stubEnv('VF_CACHE_DIR', cache);
  });
  afterEach(() => Promise.all([context, cache].map((dir) => rm(dir, { recursive: true }))));
  const dockerfile = (text: string): Promise<void> => writeFile(join(context, 'Dockerfile'), text);
  const logs = (): Promise<string[]> => readdir(join(cache, 'docker/builds'));

  test('are built once for each content, whoever asks; the log is kept', async () => {
    const salt = crypto.randomUUID();
    await dockerfile(`FROM busybox:latest\nRUN echo built ${salt}\nCOPY kept /kept\n`);
    await writeFile(join(context, 'kept'), 'x');
    await writeFile(join(context, '.dockerignore'), 'ignored\n');
    const asked = Array.from({ length: 6 }, () => builtImage(engine, { context }, signal));
    const [image, ...others] = await Promise.all(asked);
    expect(new Set(others)).toEqual(new Set([image]));
    const [log] = await logs();
    const text = await readFile(join(cache, 'docker/builds', log ?? ''), 'utf8');
    expect(text.match(new RegExp(`^built ${salt}$`, 'gm'))).toHaveLength(1);
    await writeFile(join(context, 'ignored'), 'y');
    expect(await builtImage(engine, { context }, signal)).toBe(image);
    await writeFile(join(context, 'kept'), 'z');
    const changed = await builtImage(engine, { context }, signal);
    expect(changed).not.toBe(image);
    // One after the other: they share layers.
    for (const name of [image, changed]) await docker.getImage(name ?? '').remove();
  });

  test('a failing one shows its last lines, and is not tried again', async () => {
    const salt = crypto.randomUUID();
    await dockerfile(`FROM busybox:latest\nRUN echo about to fail ${salt}; exit 3\n`);
    const failing = builtImage(engine, { context }, signal);
    await expect(failing).rejects.toMatchObject({
      code: 'runtime/boot_failed',
      retryable: false,
      message: expect.stringMatching(new RegExp(`about to fail ${salt}[^]*code: 3`)) as string,
    });
    const again = builtImage(engine, { context }, signal);
    expect(await again.catch((error: unknown) => error)).toBe(
      await failing.catch((error: unknown) => error),
    );
    expect((await logs()).filter((name) => name.endsWith('.log'))).toHaveLength(1);
  });

  test('a folder without a Dockerfile is named', async () => {
    await expect(builtImage(engine, { context }, signal)).rejects.toMatchObject({
      code: 'runtime/boot_failed',
      message: expect.stringContaining(context) as string,
    });
  });
});
