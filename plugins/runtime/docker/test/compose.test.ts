import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box, BoxSpec } from '@vf/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { composeProgram } from '../src/compose/program.ts';
import { boxes, docker, leftBehind, noEngine, outside, servers, signal } from './engine.ts';

describe.skipIf(noEngine)('compose sets', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vf-set-'));
  });
  // Hooks run last first: boxes are stopped before their folder goes.
  afterEach(() => rm(folder, { recursive: true }));
  const open = boxes();
  const serve = servers();
  const file = async (text: string): Promise<string> => {
    const path = join(folder, 'docker-compose.yaml');
    await writeFile(path, text);
    return path;
  };
  const play = async (text: string, spec: Partial<BoxSpec> = {}, until = signal): Promise<Box> =>
    open({ image: 'busybox:latest', compose: { files: [await file(text)] }, ...spec }, until);
  const out = async (box: Box, script: string, service?: string): Promise<string> => {
    const options = service === undefined ? {} : { service };
    const { stdout, stderr } = await box.run(['sh', '-c', script], options);
    return (stdout + stderr).trim();
  };

  const pair = `
services:
  main:
    depends_on: { db: { condition: service_healthy } }
  db:
    image: busybox:latest
    init: true
    container_name: one-name-for-all
    environment: { GREETING: "\${GREETING:-hello}", KEPT: "a$$b" }
    command: [sh, -c, 'echo db is up; mkdir -p /www; echo "$$GREETING" >/www/index.html; sleep 0.3; exec httpd -f -h /www']
    ports: ['80:80']
    volumes: [data:/data]
    healthcheck: { test: [CMD, test, -f, /www/index.html], interval: 200ms, retries: 50 }
  once:
    image: busybox:latest
    command: [sh, -c, 'echo prepared']
volumes: { data: { name: one-volume-for-all } }
`;
  const ask = 'printf "GET / HTTP/1.0\\r\\n\\r\\n" | nc -w 3 db 80 | tail -n 1';

  test('the box is main, sidecars are healthy, are reached by name and worked in', async () => {
    const logDir = join(folder, 'logs');
    const box = await play(pair, { logDir, env: { OWN: 'mine $x' }, resources: { memoryMb: 96 } });
    expect(await out(box, ask)).toBe('hello');
    expect(await out(box, 'echo $OWN')).toBe('mine $x');
    expect(await out(box, 'echo $KEPT; hostname', 'db')).toMatch(/^a\$b\n\w+$/);
    const db = await box.service?.('db');
    await db?.write('/data/note', 'kept', { mode: 0o600 });
    expect(Buffer.from((await db?.read('/data/note')) ?? []).toString()).toBe('kept');
    const local = join(folder, 'fetched');
    await db?.download('/data', local);
    expect(await readFile(join(local, 'note'), 'utf8')).toBe('kept');
    await expect(box.service?.('none')).rejects.toMatchObject({ code: 'runtime/exec_failed' });
    const { HostConfig } = await docker.getContainer(box.id).inspect();
    expect(HostConfig).toMatchObject({ Memory: 96 << 20, MemorySwap: 96 << 20, Init: true });
    await db?.stop();
    await db?.stop();
    expect(Buffer.from((await db?.read('/data/note')) ?? []).toString()).toBe('kept');
    await expect(db?.run(['true'])).rejects.toMatchObject({ code: 'runtime/box_gone' });
    await box.stop();
    expect(await readFile(join(logDir, 'db.log'), 'utf8')).toContain('db is up');
    expect(await readFile(join(logDir, 'once.log'), 'utf8')).toContain('prepared');
    expect(await leftBehind()).toEqual([]);
  });

  test('services have their limits wherever the files say them, and no more cores than max_cpu', async () => {
    const deploy = '{ resources: { limits: { cpus: "64", memory: 64m } } }';
    const text = `
services:
  db: { image: busybox, init: true, command: [sleep, '600'], deploy: ${deploy} }
  cache: { image: busybox, init: true, command: [sleep, '600'], cpus: 64 }
`;
    const config = { max_cpu: 1, max_memory_mb: 128 };
    const box = await play(text, { config, resources: { cpu: 64, memoryMb: 4096 } });
    const limits = async (name: string) => {
      const id = (await box.run(['hostname'], { service: name })).stdout.trim();
      const { HostConfig } = await docker.getContainer(id).inspect();
      return [HostConfig.NanoCpus, HostConfig.Memory, HostConfig.PidsLimit];
    };
    expect(await Promise.all(['main', 'db', 'cache'].map(limits))).toEqual([
      [1e9, 128 << 20, 4096],
      [1e9, 64 << 20, 4096],
      [1e9, 0, 4096],
    ]);
  });

  test('sets of one file do not meet: names, ports and volumes are their own', async () => {
    const variables = [{ GREETING: 'first' }, { GREETING: 'second' }];
    const files = [await file(pair)];
    const both = await Promise.all(
      variables.map((own) => open({ image: 'busybox', compose: { files, variables: own } })),
    );
    expect(await Promise.all(both.map((box) => out(box, ask)))).toEqual(['first', 'second']);
    await both[0]?.service?.('db').then((db) => db.write('/data/x', ''));
    expect(await out(both[1] as Box, 'ls /data', 'db')).toBe('');
  });

  const get = (url: string): string => {
    const { hostname, port } = new URL(url);
    return `printf "GET / HTTP/1.0\\r\\n\\r\\n" | nc -w 1 ${hostname} ${port} 2>&1 | tail -n 1`;
  };

  test('no policy cuts services from each other or the box from the model; all else is cut', async () => {
    const model = await serve('127.0.0.1', 'model');
    const far = get(await serve(outside, 'outside'));
    const box = await play(pair);
    const near = get(await box.reach(model, signal));
    expect(await out(box, far)).toBe('outside');
    await box.setNetwork({ mode: 'no-network' }, [model], signal);
    expect(await out(box, ask)).toBe('hello');
    expect(await out(box, near)).toBe('model');
    expect(await out(box, far)).not.toContain('outside');
    expect(await out(box, far, 'db')).not.toContain('outside');
    await box.setNetwork({ mode: 'public' }, [], signal);
    expect(await out(box, ask)).toBe('hello');
    expect(await out(box, near)).toBe('model');
    expect(await out(box, far, 'db')).toBe('outside');
    await box.stop();
    expect(await leftBehind()).toEqual([]);
  });

  test('a set can begin closed, and is opened', async () => {
    const far = get(await serve(outside, 'outside'));
    const box = await play(pair, { network: { mode: 'no-network' } });
    expect(await out(box, ask)).toBe('hello');
    expect(await out(box, far)).not.toContain('outside');
    expect(await out(box, far, 'db')).not.toContain('outside');
    await box.setNetwork({ mode: 'public' }, [], signal);
    expect(await out(box, far)).toBe('outside');
  });

  test('what services build is built once and found by those that name it', async () => {
    vi.stubEnv('VF_CACHE_DIR', join(folder, 'cache'));
    await mkdir(join(folder, 'context'));
    const salt = crypto.randomUUID();
    await writeFile(
      join(folder, 'context/Dockerfile'),
      `FROM busybox:latest\nARG WHO\nRUN echo $WHO ${salt} >/who\nENTRYPOINT ["sh", "-c", "echo entered >/entered; exec \\"$@\\"", "--"]\n`,
    );
    const text = `
services:
  main: { build: { args: { WHO: me } } }
  twin: { image: vf-main, command: [sleep, '100'] }
`;
    const compose = { files: [await file(text)] };
    const box = await open({ build: { context: join(folder, 'context') }, compose });
    for (const service of ['main', 'twin']) {
      expect(await out(box, 'cat /who /entered', service)).toBe(`me ${salt}\nentered`);
    }
    const { Config } = await docker.getContainer(box.id).inspect();
    await box.stop();
    await docker.getImage(Config.Image).remove();
  });

  test.each([
    ['a sidecar that ends', `exit 3`, '', /service bad ended with exit code 3[^]*last words/],
    [
      'one that is never healthy',
      'sleep 60',
      'healthcheck: { test: [CMD-SHELL, "echo ill; exit 1"], interval: 100ms, retries: 2 }',
      /service bad is not healthy \(ill\)[^]*last words/,
    ],
  ])('%s fails the box with its last words', async (_name, end, more, message) => {
    const text = `
services:
  bad:
    image: busybox:latest
    command: [sh, -c, 'echo last words; ${end}']
    ${more}
`;
    const failing = play(text);
    await expect(failing).rejects.toMatchObject({ code: 'runtime/boot_failed' });
    await expect(failing).rejects.toThrow(message);
    expect(await leftBehind()).toEqual([]);
  });

  const dying = (command: string, more = ''): string => `
services:
  bad:
    image: busybox:latest
    init: true
    command: [sh, -c, 'echo last words; while [ ! -e /end ]; do sleep 0.1; done; ${command}']
    ${more}
`;
  const ended = async (box: Box): Promise<void> => {
    const bad = await box.service?.('bad');
    const [found] = await docker.listContainers({
      filters: { label: ['com.docker.compose.service=bad', `vf.maker.pid=${process.pid}`] },
    });
    await bad?.write('/end', '');
    await docker.getContainer(found?.Id ?? '').wait();
  };

  test('a service that ends while it should run is told by name, and only that', async () => {
    const box = await play(dying('exit 7'));
    await expect(box.intact?.(signal)).resolves.toBeUndefined();
    await ended(box);
    await expect(box.intact?.(signal)).rejects.toMatchObject({
      code: 'runtime/box_gone',
      retryable: false,
      message: expect.stringMatching(
        /^service bad ended with exit code 7 while it should run; .*\nlast words$/,
      ) as string,
    });
  });

  test('a service that the task stops, or that has done its work, may end', async () => {
    const stopped = await play(dying('exit 7'));
    await (await stopped.service?.('bad'))?.stop();
    await expect(stopped.intact?.(signal)).resolves.toBeUndefined();
    await stopped.stop();
    const worked = await play(dying('exit 0'));
    await ended(worked);
    await expect(worked.intact?.(signal)).resolves.toBeUndefined();
    await worked.stop();
    const check = 'healthcheck: { test: [CMD, "true"], interval: 100ms }';
    const served = await play(dying('exit 0', check));
    await ended(served);
    await expect(served.intact?.(signal)).rejects.toThrow('service bad ended with exit code 0');
  });

  test.each([
    ['services: { x: { image: busybox, privileged: true } }', 'x: privileged true'],
    ['services: { x: { image: busybox, network_mode: host } }', 'x: network_mode host'],
    ['services: { x: { image: busybox, volumes: ["/etc:/e"] } }', 'x: mount of /etc'],
    ['services: { x: { image: busybox, volumes: ["./link:/e"] } }', 'x: mount of'],
    ['services: { x: { image: busybox, env_file: /etc/hostname } }', 'x: env_file /etc/hostname'],
    ['services: { x: { build: .. } }', 'x: build of'],
    ['services: { x: { image: busybox, cap_add: [SYS_ADMIN] } }', 'x: cap_add SYS_ADMIN'],
    [
      'services: { x: { image: busybox, secrets: [s] } }\nsecrets: { s: { file: /etc/hostname } }',
      'secret s',
    ],
    [
      'services: { x: { image: busybox, networks: [n] } }\nnetworks: { n: { external: true } }',
      'network n',
    ],
    [
      'services: { x: { image: busybox, volumes: ["vol:/v"] } }\nvolumes: { vol: { driver_opts: { o: bind, device: / } } }',
      'volume vol',
    ],
  ])('%s is refused', async (text, what) => {
    await symlink('/etc', join(folder, 'link'));
    await expect(play(text)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: expect.stringContaining(what) as string,
      hint: expect.stringContaining('trust_compose') as string,
    });
  });

  test('what is no compose set, and a variable without a value, are told before anything starts', async () => {
    await expect(play('services: { x: { image: [] } }')).rejects.toMatchObject({
      code: 'misfit/plan',
      message: expect.stringContaining('services.x.image') as string,
    });
    vi.stubEnv('A_SECRET_OF_THE_HOST', 'x');
    const text = 'services: { x: { image: busybox, environment: ["A=${A_SECRET_OF_THE_HOST}"] } }';
    await expect(play(text)).rejects.toMatchObject({
      code: 'misfit/plan',
      message: expect.stringContaining('A_SECRET_OF_THE_HOST') as string,
    });
  });

  test('an abort while services start leaves nothing', async () => {
    const abort = new AbortController();
    const text = `
services:
  main: { depends_on: { slow: { condition: service_healthy } } }
  slow:
    image: busybox:latest
    command: [sleep, '100']
    healthcheck: { test: [CMD, 'false'], interval: 60s, start_period: 60s }
`;
    const starting = play(text, {}, abort.signal);
    setTimeout(() => abort.abort(new Error('enough')), 1500);
    await expect(starting).rejects.toThrow('enough');
    expect(await leftBehind()).toEqual([]);
  });

  test('an engine without addresses for another network is told as that', async () => {
    // Compose as it is, but for the start of a set.
    const real = await composeProgram();
    const words =
      'could not find an available, non-overlapping IPv4 address pool among the defaults';
    const script = `#!/bin/sh\ncase "$*" in *' up '*) echo '${words}' >&2; exit 1;; esac\nexec ${real} "$@"\n`;
    await mkdir(join(folder, 'cli-plugins'));
    await writeFile(join(folder, 'cli-plugins/docker-compose'), script, { mode: 0o755 });
    vi.stubEnv('DOCKER_CONFIG', folder);
    await expect(play('services: { main: {} }')).rejects.toMatchObject({
      code: 'runtime/no_addresses',
      hint: expect.stringContaining('fewer boxes') as string,
    });
    expect(await leftBehind()).toEqual([]);
  });

  test('files of the task cannot be changed from a box', async () => {
    await mkdir(join(folder, 'given'));
    await writeFile(join(folder, 'given/file'), 'as it was');
    const box = await play('services: { main: { volumes: ["./given:/given"] } }');
    expect(await out(box, 'cat /given/file; echo changed >/given/file')).toMatch(
      /^as it was.*read-only/i,
    );
  });
});
