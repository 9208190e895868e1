import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { check } from '../src/check.ts';
import { composeProgram } from '../src/compose/program.ts';
import { filledConfig } from '../src/config.ts';
import { aboutEngine } from '../src/engine/about.ts';
import { engineAt } from '../src/engine/engine.ts';
import { addBytes, tarOf } from '../src/files/pack.ts';
import { follow } from '../src/image/follow.ts';
import { identities } from '../src/image/identity.ts';
import { docker, noEngine, signal } from './engine.ts';
import { pretenders } from './pretend.ts';

describe.skipIf(noEngine)('before a run', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vf-check-'));
  });
  afterEach(() => rm(dir, { recursive: true }));
  const pretend = pretenders();
  const config = filledConfig({});
  const context = async (name: string, text: string): Promise<string> => {
    await mkdir(join(dir, name));
    await writeFile(join(dir, name, 'Dockerfile'), text);
    return join(dir, name);
  };

  test('an engine that runs and builds that it can do pass', async () => {
    const build = {
      context: await context('a', 'FROM x\nRUN --mount=type=cache,target=/c true\n'),
    };
    await expect(
      check(
        [
          { config, build },
          { config, image: 'x' },
        ],
        signal,
      ),
    ).resolves.toEqual([]);
  });

  test('an engine that is not there is told before the run, and how to start it', async () => {
    const away = filledConfig({ host: `unix://${join(dir, 'docker.sock')}` });
    await expect(check([{ config: away, image: 'x' }], signal)).rejects.toMatchObject({
      code: 'runtime/engine_gone',
      hint: expect.stringContaining('systemctl start docker') as string,
    });
  });

  // Whoever is not root would need another user for it.
  test.skipIf(process.getuid?.() !== 0)(
    'an engine whose socket one may not use is told before the run, and what to do',
    async () => {
      const socket = join(dir, 'docker.sock');
      const server = createServer(() => {});
      await once(server.listen(socket), 'listening');
      onTestFinished(() => void server.close());
      await chmod(dir, 0o755);
      await chmod(socket, 0o600);
      process.seteuid?.('nobody');
      try {
        const theirs = filledConfig({ host: `unix://${socket}` });
        await expect(check([{ config: theirs, image: 'x' }], signal)).rejects.toMatchObject({
          code: 'runtime/engine_gone',
          message: expect.stringContaining('may not be used') as string,
          hint: expect.stringContaining('usermod -aG docker') as string,
        });
      } finally {
        process.seteuid?.(0);
      }
    },
  );

  test('what answers as no engine does, or never, is told', async () => {
    const server = createServer((_asked, answer) => {
      answer.writeHead(404).end('<p>not here</p>');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = join(dir, 'mute.sock');
    const mute = createServer(() => {});
    await once(mute.listen(socket), 'listening');
    try {
      const other = filledConfig({ host: `http://127.0.0.1:${port}` });
      await expect(check([{ config: other, image: 'x' }], signal)).rejects.toMatchObject({
        code: 'runtime/engine_gone',
        message: `no Docker engine answers at ${other.host}: it answers HTTP 404`,
      });
      await expect(aboutEngine(engineAt(`unix://${socket}`), 50)).rejects.toMatchObject({
        code: 'runtime/engine_gone',
        message: expect.stringContaining('no answer within 0.05 s') as string,
        hint: expect.stringContaining('docker -H unix://') as string,
      });
    } finally {
      server.close();
      mute.close();
    }
  });

  test('options that the engine would refuse with each box are told before the run', async () => {
    const wrong = filledConfig({ cpu: 1000, network: 'vf-none' });
    await expect(check([{ config: wrong, image: 'x' }], signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: expect.stringMatching(
        /^cpu 1000: the engine at .* has \d+ cores; the engine has no network vf-none$/,
      ) as string,
    });
  });

  test('tasks that ask for more cores than there are are told before the run, all of them', async () => {
    const { NCPU: there, MemTotal: memory } = (await docker.info()) as {
      readonly NCPU: number;
      readonly MemTotal: number;
    };
    const file = join(dir, 'docker-compose.yaml');
    const limits = `deploy: { resources: { limits: { cpus: "${there + 3}" } } }`;
    await writeFile(file, `services: { db: { image: busybox, ${limits} } }\n`);
    const task = (name: string, cpu: number, more: object = {}) => ({
      config,
      image: 'busybox:latest',
      task: name,
      resources: { cpu },
      ...more,
    });
    const large = task('large', 1, { resources: { memoryMb: memory / 1024 ** 2 + 1 } });
    const specs = [
      task('fits', there),
      task('wide', there + 1),
      task('wider', there + 2),
      task('set', 1, { compose: { files: [file] } }),
      large,
    ];
    await expect(check(specs, signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: expect.stringMatching(
        /^3 boxes ask for more cores .* engine at .* has \d+$/,
      ) as string,
      problems: [
        { message: `task wide asks for ${there + 1} cores` },
        { message: `task wider asks for ${there + 2} cores` },
        { message: `service db in ${file} asks for ${there + 3} cores` },
      ],
      hint: expect.stringContaining(`--runtime.max_cpu ${there} `) as string,
    });
    const capped = specs.map((spec) => ({ ...spec, config: filledConfig({ max_cpu: there }) }));
    expect(await check(capped, signal)).toEqual([
      expect.stringMatching(/^task large asks for more memory than the [\d.]+ GiB/),
    ]);
    const settled = filledConfig({ max_cpu: there, max_memory_mb: 512 });
    expect(await check([{ ...large, config: settled }], signal)).toEqual([]);
    await expect(check([task('alone', 1000)], signal)).rejects.toMatchObject({
      message: expect.stringMatching(/^task alone asks for 1000 cores: the engine at /) as string,
    });
  });

  test('a name that is none of an image is told with its task', async () => {
    const odd = { config, image: '--privileged', task: 'odd-one' };
    await expect(check([{ config, image: 'x' }, odd], signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: 'task odd-one: image "--privileged" is no name of an image',
    });
  });

  test('compose sets that reach out are told before the run, all of them', async () => {
    const compose = async (name: string, service: string) => {
      await writeFile(join(dir, name), `services:\n  db:\n    image: x\n    ${service}\n`);
      return { config, image: 'x', compose: { files: [join(dir, name)] } };
    };
    const specs = [
      await compose('a.yaml', 'privileged: true'),
      await compose('b.yaml', 'command: "true"'),
      await compose('c.yaml', 'volumes: ["/etc:/host-etc"]'),
    ];
    await expect(check(specs, signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      problems: [
        { message: expect.stringMatching(/a\.yaml reaches out of its boxes: db: privileged true/) },
        { message: expect.stringMatching(/c\.yaml reaches out .*\/etc/) },
      ],
      hint: expect.stringContaining('--runtime.trust_compose true'),
    });
    const trusting = specs.map((spec) => ({
      ...spec,
      config: filledConfig({ trust_compose: true }),
    }));
    await expect(check(trusting, signal)).resolves.toEqual([]);
  });

  test('an image for another processor is told before the run', async () => {
    const foreign = { Architecture: 's390x', Id: 'sha256:1' };
    const host = await pretend({ '/images/foreign/json': foreign });
    const wanted = [{ config: filledConfig({ host }), image: 'foreign' }];
    await expect(check(wanted, signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: expect.stringMatching(/^image foreign is for s390x, the engine runs \w+$/) as string,
    });
    const version = { ApiVersion: '1.41', Os: 'linux', Arch: 'arm64', Components: [] };
    const desktop = await pretend({ '/version': version, '/images/foreign/json': foreign });
    const there = [{ config: filledConfig({ host: desktop }), image: 'foreign' }];
    expect(await check(there, signal)).toEqual([
      'image foreign is for s390x, the engine runs arm64: it is emulated, if at all',
    ]);
  });

  test('a real image for another processor is refused before the run, that of a service too', async () => {
    const { Architecture: own } = await docker.getImage('busybox:latest').inspect();
    const other = own === 'arm64' ? 'amd64' : 'arm64';
    const name = `vf-test-${crypto.randomUUID()}:latest`;
    await follow(docker, await docker.loadImage(emptyImage(name, other)));
    onTestFinished(() => docker.getImage(name).remove());
    await expect(check([{ config, image: name }], signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: `image ${name} is for ${other}, the engine runs ${own}`,
      hint: expect.stringContaining('binfmt') as string,
    });
    const file = join(dir, 'docker-compose.yaml');
    const asks = `{ image: busybox, platform: linux/${other} }`;
    await writeFile(file, `services: { db: { image: "${name}" }, twin: ${asks} }\n`);
    const set = { config, image: 'busybox:latest', compose: { files: [file] } };
    await expect(check([set, set], signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: [
        `image ${name} of service db in ${file} is for ${other}, the engine runs ${own}`,
        `image busybox of service twin in ${file} is for ${other}, the engine runs ${own}`,
      ].join('; '),
    });
  });

  test('what stands behind images is told: of pulled, own, missing and built ones', async () => {
    const host = await pretend({
      '/images/pulled:1/json': { RepoDigests: ['reg.example/pulled@sha256:aa'], Id: 'sha256:bb' },
      '/images/own/json': { RepoDigests: [], Id: 'sha256:cc' },
    });
    const own = filledConfig({ host, image: 'own' });
    const build = { context: await context('built', 'FROM x\n') };
    const wanted = [
      { config: own, image: 'pulled:1' },
      { config: own },
      { config: own, image: 'never-pulled' },
      { config: own, build },
    ];
    const ask = () => identities(wanted, signal);
    const [pulled, named, missing, built] = await ask();
    expect(pulled).toEqual([{ name: 'pulled:1', digest: 'sha256:aa' }]);
    expect(named).toEqual([{ name: 'own', digest: 'sha256:cc' }]);
    expect(missing).toEqual([{ name: 'never-pulled', digest: null }]);
    const digest = expect.stringMatching(/^vf-build:\w{32}$/) as string;
    expect(built).toEqual([{ name: null, digest }]);
    await writeFile(join(build.context, 'more'), '');
    expect((await ask())[3]).not.toEqual(built);
  });

  test('what stands behind the images of services is told too, what they share once', async () => {
    const host = await pretend({ '/images/own/json': { RepoDigests: [], Id: 'sha256:cc' } });
    await context('db', 'FROM x\n');
    const file = join(dir, 'docker-compose.yaml');
    const services = `{ db: { build: db, image: db:1 }, twin: { image: db:1 }, me: { image: vf-main }, cache: { image: own } }`;
    await writeFile(file, `services: ${services}\n`);
    const build = { context: await context('built', 'FROM x\n') };
    const wanted = { config: filledConfig({ host }), build, compose: { files: [file] } };
    const digest = expect.stringMatching(/^vf-build:\w{32}$/) as string;
    const [found] = await identities([wanted], signal);
    expect(found?.[0]).toEqual({ name: null, digest });
    expect(found?.slice(1)).toEqual(
      expect.arrayContaining([
        { name: null, service: 'db', digest },
        { name: 'own', digest: 'sha256:cc' },
      ]),
    );
    expect(found).toHaveLength(3);
  });

  test('all Dockerfiles that an old engine cannot build are named with their lines', async () => {
    const version = { ApiVersion: '1.38', Os: 'linux', Components: [] };
    const host = await pretend({ '/version': version });
    const one = await context('one', 'FROM x\nRUN --mount=type=cache,target=/c true\n');
    const other = await context('other', 'FROM x\nCOPY --link a b\n');
    const specs = [one, other, one, await context('plain', 'FROM x\n')];
    const wanted = specs.map((path) => ({
      config: filledConfig({ host }),
      build: { context: path },
    }));
    await expect(check(wanted, signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      problems: [
        { file: join(one, 'Dockerfile'), line: 2, message: 'RUN --mount needs BuildKit' },
        { file: join(other, 'Dockerfile'), line: 2, message: 'COPY --link needs BuildKit' },
      ],
    });
  });

  test('Podman closes no set: that is refused before the run, an open one and a box alone are not', async () => {
    const version = { ApiVersion: '1.41', Os: 'linux', Components: [{ Name: 'Podman Engine' }] };
    const host = await pretend({ '/version': version });
    const wanted = { config: filledConfig({ host }), image: 'x' };
    const network = { mode: 'no-network' } as const;
    const compose = { files: [join(dir, 'docker-compose.yaml')] };
    await writeFile(compose.files[0] ?? '', 'services: { db: { image: x } }\n');
    await expect(check([{ ...wanted, network, compose }], signal)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: expect.stringContaining('Podman cannot enforce') as string,
    });
    const fine = [
      { ...wanted, network },
      { ...wanted, compose },
    ];
    await expect(check(fine, signal)).resolves.toBeInstanceOf(Array);
  });

  test.each([
    [{ MemoryLimit: false, CpuCfsQuota: true, PidsLimit: true }, 'no limits of memory:'],
    [{ Rootless: true, CgroupVersion: '1' }, 'no limits of memory, cores, processes:'],
  ])('limits that the engine does not keep are told: %o', async (info, words) => {
    const host = await pretend({ '/info': info });
    expect(await check([{ config: filledConfig({ host }), image: 'x' }], signal)).toEqual([
      expect.stringContaining(words),
    ]);
  });

  test('compose files without compose v2 are refused, and what to install is named', async () => {
    const old = join(dir, 'docker-compose');
    await writeFile(old, '#!/bin/sh\necho 1.29.2\n');
    await chmod(old, 0o755);
    vi.stubEnv('PATH', dir);
    vi.stubEnv('DOCKER_CONFIG', dir);
    await expect(composeProgram([])).rejects.toMatchObject({
      code: 'misfit/plan',
      message: expect.stringContaining(`${old} is 1.29.2`) as string,
      hint: expect.stringContaining('docker-compose-plugin') as string,
    });
    await rm(old);
    await expect(composeProgram([])).rejects.toThrow('it is not installed');
  });
});

/** An image with nothing in it, as `docker save` writes one, that says to be for a processor. */
function emptyImage(name: string, architecture: string): Readable {
  const layer = Buffer.alloc(1024);
  const digest = `sha256:${createHash('sha256').update(layer).digest('hex')}`;
  const rootfs = { type: 'layers', diff_ids: [digest] };
  const about = { architecture, os: 'linux', config: {}, rootfs, history: [] };
  const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }];
  return tarOf(async (tar) => {
    await addBytes(tar, { name: 'layer.tar' }, layer);
    await addBytes(tar, { name: 'config.json' }, Buffer.from(JSON.stringify(about)));
    await addBytes(tar, { name: 'manifest.json' }, Buffer.from(JSON.stringify(manifest)));
  });
}
