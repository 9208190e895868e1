import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aboutEngine } from '../src/engine/about.ts';
import { engineAt } from '../src/engine/engine.ts';
import { builtImage } from '../src/image/build.ts';
import { docker, noEngine, signal } from './engine.ts';
import { pretenders } from './pretend.ts';

describe.skipIf(noEngine)('images of Dockerfiles', () => {
  let context: string;
  let cache: string;
  const engine = engineAt(undefined);
  const pretend = pretenders();
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
      code: 'runtime/build_failed',
      retryable: false,
      message: expect.stringMatching(
        new RegExp(`about to fail ${salt}[^]*(?:code:|status) 3`),
      ) as string,
    });
    const again = builtImage(engine, { context }, signal);
    expect(await again.catch((error: unknown) => error)).toBe(
      await failing.catch((error: unknown) => error),
    );
    expect((await logs()).filter((name) => name.endsWith('.log'))).toHaveLength(1);
  });

  test('what needs BuildKit is built by it, its output is kept', async () => {
    const salt = crypto.randomUUID();
    await dockerfile(
      `FROM busybox:latest\nRUN --mount=type=cache,target=/c echo mounted ${salt}; echo beside >&2\nCOPY --chmod=750 kept /kept\nRUN stat -c %a /kept\n`,
    );
    await writeFile(join(context, 'kept'), 'x');
    const image = await builtImage(engine, { context }, signal);
    const [log] = await logs();
    const text = await readFile(join(cache, 'docker/builds', log ?? ''), 'utf8');
    expect(text).toMatch(new RegExp(`^mounted ${salt}$`, 'm'));
    expect(text).toMatch(/^750$/m);
    await docker.getImage(image).remove();
    await dockerfile(
      `FROM busybox:latest\nRUN --mount=type=cache,target=/c echo soon ${salt}; exit 7\n`,
    );
    await expect(builtImage(engine, { context }, signal)).rejects.toMatchObject({
      code: 'runtime/build_failed',
      message: expect.stringMatching(new RegExp(`soon ${salt}[^]*7`)) as string,
    });
  });

  test('arguments and stage are part of what is built', async () => {
    await dockerfile(
      `FROM busybox:latest AS one\nARG WHO=nobody\nRUN echo $WHO >/who\nFROM one AS two\nRUN exit 1\n`,
    );
    const build = { context, target: 'one' };
    const plain = await builtImage(engine, build, signal);
    const named = await builtImage(engine, { ...build, args: { WHO: 'me' } }, signal);
    expect(named).not.toBe(plain);
    for (const name of [plain, named]) await docker.getImage(name).remove();
    await expect(builtImage(engine, { context }, signal)).rejects.toThrow('exit 1');
  });

  test('a line that is newer than the builder is pointed at', async () => {
    await dockerfile('FROM busybox:latest\nRUN <<EOF\necho in a document\nEOF\n');
    const { api } = await aboutEngine(engine);
    const building = builtImage(engine, { context }, signal);
    if (Number(api.split('.')[1]) >= 42) {
      await docker.getImage(await building).remove();
      return;
    }
    await expect(building).rejects.toMatchObject({
      code: 'runtime/build_failed',
      hint: expect.stringContaining('line 2 (RUN with a heredoc)') as string,
    });
  });

  test('an engine without BuildKit refuses the line that needs it, and builds the rest', async () => {
    const old = await pretend({ '/version': { ApiVersion: '1.38', Os: 'linux', Components: [] } });
    await dockerfile('FROM busybox:latest\n\nRUN --mount=type=cache,target=/c true\n');
    await expect(builtImage(engineAt(old), { context }, signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: expect.stringContaining(`${join(context, 'Dockerfile')} line 3`) as string,
      problems: [{ line: 3, message: 'RUN --mount needs BuildKit' }],
    });
    await dockerfile(`FROM busybox:latest\nRUN echo ${crypto.randomUUID()}\n`);
    await docker.getImage(await builtImage(engineAt(old), { context }, signal)).remove();
  });

  test('a disk that is full while building is told as that', async () => {
    // The shared memory of a build is 64 MiB.
    await dockerfile('FROM busybox:latest\nRUN dd if=/dev/zero of=/dev/shm/x bs=1M count=80\n');
    await expect(builtImage(engine, { context }, signal)).rejects.toMatchObject({
      code: 'runtime/disk_full',
      retryable: false,
    });
  });

  test('a folder without a Dockerfile is named', async () => {
    await expect(builtImage(engine, { context }, signal)).rejects.toMatchObject({
      code: 'runtime/build_failed',
      message: expect.stringContaining(context) as string,
    });
  });
});
