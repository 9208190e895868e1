import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connection, engineAt } from '../src/engine/engine.ts';
import runtime from '../src/index.ts';
import { boxes, docker, leftBehind, noEngine, servers, signal } from './engine.ts';

const run = promisify(execFile);

const ownCache = join(homedir(), '.cache/vf');

describe.skipIf(noEngine)('an engine elsewhere', () => {
  // What these tests install is nothing that the machine's own cache is to keep.
  let cache: string;
  beforeAll(async () => void (cache = await mkdtemp(join(tmpdir(), 'vf-remote-cache-'))));
  beforeEach(() => void vi.stubEnv('VF_CACHE_DIR', cache));
  afterAll(() => rm(cache, { recursive: true, force: true }));
  const serve = servers();
  const forwarders: Server[] = [];
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const server of forwarders.splice(0)) server.close();
    for (const socket of sockets) socket.destroy();
  });
  // Hooks run last first: boxes are stopped before the way to their engine closes.
  const open = boxes();
  const { socketPath } = connection(engineAt(undefined).address);

  /** A port of this machine's loopback that leads to the engine. */
  const forwarded = async (server: Server): Promise<number> => {
    server.on('connection', (socket) => sockets.add(socket));
    server.listen(0, '127.0.0.1');
    forwarders.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const toEngine = (near: Socket): void => {
    const far = connect(String(socketPath));
    sockets.add(far);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  };

  /** All ways that a rollout takes: programs, files, the model with the network open and closed. */
  const use = async (host: string): Promise<readonly unknown[]> => {
    const model = await serve('127.0.0.1', 'model');
    const box = await open({ config: { host } });
    const said = async (argv: string[], stdin = ''): Promise<string> =>
      (await box.run(argv, { stdin })).stdout;
    await box.write('note', 'over there');
    const answers: unknown[] = [await said(['cat', 'note']), await said(['cat'], 'by stdin')];
    const asked = ['curl', '-sS', '--max-time', '9', await box.reach(model, signal)];
    answers.push(await said(asked));
    await box.setNetwork({ mode: 'no-network' }, [model], signal);
    answers.push(await said(asked));
    const path = await box.toolbox(greeting(), signal);
    answers.push(await said([`${path}/bin/greet`]));
    await box.stop();
    return [...answers, ...(await leftBehind())];
  };
  const expected = ['over there', 'by stdin', 'model', 'model', 'hello'];

  test('is used over TCP', async () => {
    const port = await forwarded(createServer({ allowHalfOpen: true }, toEngine));
    expect(await use(`tcp://127.0.0.1:${port}`)).toEqual(expected);
  });

  test('gets an entry of the toolbox once, whoever asks, and never a half one', async () => {
    const port = await forwarded(createServer({ allowHalfOpen: true }, toEngine));
    const config = { host: `tcp://127.0.0.1:${port}` };
    const [one, other] = await Promise.all([open({ config }), open({ config })]);
    const entry = greeting();
    const asked = [one, other, one, other].map((box) => box.toolbox(entry, signal));
    const [path = null, ...rest] = await Promise.all(asked);
    expect(new Set(rest)).toEqual(new Set([path]));
    expect(entry.fills).toBe(1);
    // Sent again, it would be another folder.
    const inode = async (): Promise<string> =>
      (await other.run(['stat', '-c', '%i', String(path)])).stdout;
    const first = await inode();
    expect(await one.toolbox(entry, signal)).toBe(path);
    expect(await inode()).toBe(first);
    const { exitCode } = await other.run(['touch', `${path}/mine`]);
    expect(exitCode).not.toBe(0);

    const cut = new AbortController();
    const halfway = large(() => cut.abort(new Error('enough')));
    await expect(one.toolbox(halfway, cut.signal)).rejects.toThrow('enough');
    const has = await one.run(['test', '-d', `/opt/vf/toolbox/${halfway.key}`]);
    expect(has.exitCode).toBe(1);
    expect(await one.toolbox(halfway, signal)).toBe(`/opt/vf/toolbox/${halfway.key}`);
  });

  test('on this machine that sees other files gets the toolbox as one elsewhere does', async () => {
    // Of each process its own folder: what is ours is not what the engine finds there.
    const name = `.vf-unseen-${process.pid}`;
    vi.stubEnv('VF_CACHE_DIR', `/proc/self/cwd/${name}`);
    const dir = await mkdtemp(join(tmpdir(), 'vf-set-'));
    const file = join(dir, 'docker-compose.yaml');
    await writeFile(file, 'services: { main: {} }\n');
    const server = createServer({ allowHalfOpen: true }, toEngine).listen(join(dir, 'engine'));
    forwarders.push(server);
    await once(server, 'listening');
    const host = `unix://${join(dir, 'engine')}`;
    try {
      const entry = greeting();
      for (const compose of [{}, { compose: { files: [file] } }]) {
        const box = await open({ config: { host }, ...compose });
        const { stdout } = await box.run([`${await box.toolbox(entry, signal)}/bin/greet`]);
        expect(stdout).toBe('hello');
        await box.stop();
      }
    } finally {
      await rm(name, { recursive: true, force: true });
      await rm(dir, { recursive: true });
    }
    expect(await leftBehind()).toEqual([]);
  });

  test('keeps the toolbox until its removal is asked for', async () => {
    const port = await forwarded(createServer({ allowHalfOpen: true }, toEngine));
    const box = await open({ config: { host: `tcp://127.0.0.1:${port}` } });
    await box.toolbox(greeting(), signal);
    const sweep = async (caches: boolean, dryRun = false): Promise<readonly string[]> => {
      const found = await runtime.sweep({ olderThanMs: 0, dryRun, caches }, signal);
      return found.map(({ what }) => what).filter((what) => what === 'volume vf-toolbox');
    };
    expect(await sweep(true, true)).toEqual([]);
    await box.stop();
    expect(await sweep(false)).toEqual([]);
    expect(await sweep(true, true)).toEqual(['volume vf-toolbox']);
    expect(await sweep(true)).toEqual(['volume vf-toolbox']);
    expect(await sweep(true, true)).toEqual([]);
  });

  describe('with keys', () => {
    let dir: string;
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'vf-keys-'));
    });
    afterAll(() => rm(dir, { recursive: true }));

    test('is used over TLS, each side known to the other', async () => {
      const ca = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
      const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
      const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
      await run('openssl', ['req', ...ca, ...names, ...files]);
      const [key, cert] = await Promise.all(
        ['key.pem', 'cert.pem'].map((name) => readFile(join(dir, name))),
      );
      await writeFile(join(dir, 'ca.pem'), cert ?? '');
      const options = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true };
      const port = await forwarded(createTlsServer({ ...options, allowHalfOpen: true }, toEngine));
      vi.stubEnv('DOCKER_TLS_VERIFY', '1');
      vi.stubEnv('DOCKER_CERT_PATH', dir);
      expect(await use(`tcp://localhost:${port}`)).toEqual(expected);
    });

    test('is used over ssh by one connection of the ssh program', async () => {
      const { address, container } = await sshServer(dir, String(socketPath));
      try {
        vi.stubEnv('PATH', `${dir}${delimiter}${process.env['PATH'] ?? ''}`);
        expect(await use(`ssh://root@${address}`)).toEqual(expected);
        await expect(open({ config: { host: `ssh://nobody@${address}` } })).rejects.toMatchObject({
          code: 'runtime/engine_gone',
          message: expect.stringContaining('Permission denied') as string,
        });
      } finally {
        await container.remove({ force: true });
      }
    });
  });

  test('that is not there is told with its address', async () => {
    const port = await forwarded(createServer());
    forwarders.splice(0).forEach((server) => server.close());
    await expect(open({ config: { host: `tcp://127.0.0.1:${port}` } })).rejects.toMatchObject({
      code: 'runtime/engine_gone',
    });
  });
});

/** An entry with a program that says hello. */
function greeting() {
  return {
    key: `greet-${randomUUID()}`,
    fills: 0,
    async fill(dir: string): Promise<void> {
      this.fills++;
      expect(dir.startsWith(ownCache), `${dir} is in the cache of this machine`).toBe(false);
      await mkdir(join(dir, 'bin'));
      await writeFile(join(dir, 'bin/hello'), '#!/bin/sh\nprintf hello\n', { mode: 0o755 });
      await symlink('hello', join(dir, 'bin/greet'));
    },
  };
}

/** An entry that takes a while to send; `soon` is called when it is filled. */
function large(soon: () => void) {
  return {
    key: `large-${randomUUID()}`,
    async fill(dir: string): Promise<void> {
      expect(dir.startsWith(ownCache), `${dir} is in the cache of this machine`).toBe(false);
      await writeFile(join(dir, 'zeros'), Buffer.alloc(64 << 20));
      setTimeout(soon, 300);
    },
  };
}

const start = `cp -a /opt/sshd/usr/. /usr/; ldconfig; mkdir -p /run/sshd /root/.ssh
echo 'sshd:x:74:74::/run/sshd:/usr/sbin/nologin' >>/etc/passwd
echo "$LOGIN" >/root/.ssh/authorized_keys; chmod -R go= /root/.ssh
umask 77; echo "$HOST_KEY" >/host_key
exec /usr/sbin/sshd -f /dev/null -D -e -h /host_key -o UsePAM=no -o PermitRootLogin=yes`;

/** A container with sshd and the engine's socket in it; `dir` gets an `ssh` that knows the way in. */
async function sshServer(dir: string, socketPath: string) {
  for (const name of ['login', 'host']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, name)]);
  }
  const cache = process.env['VF_DOCKER_CACHE'] ?? '/var/cache/vf-docker';
  const container = await docker.createContainer({
    Image: 'debian:bookworm',
    Cmd: ['sh', '-c', start],
    Env: [
      `LOGIN=${await readFile(join(dir, 'login.pub'), 'utf8')}`,
      `HOST_KEY=${await readFile(join(dir, 'host'), 'utf8')}`,
    ],
    HostConfig: {
      Binds: [`${cache}/sshd:/opt/sshd:ro`, `${socketPath}:/var/run/docker.sock`],
      AutoRemove: true,
    },
  });
  await container.start();
  const { NetworkSettings } = await container.inspect();
  const address = Object.values(NetworkSettings.Networks)[0]?.IPAddress ?? '';
  const config = `IdentityFile ${join(dir, 'login')}\nStrictHostKeyChecking accept-new\nUserKnownHostsFile ${join(dir, 'known')}\n`;
  await writeFile(join(dir, 'config'), config);
  const { stdout: ssh } = await run('sh', ['-c', 'command -v ssh']);
  await writeFile(
    join(dir, 'ssh'),
    `#!/bin/sh\nexec ${ssh.trim()} -F ${join(dir, 'config')} "$@"\n`,
  );
  await chmod(join(dir, 'ssh'), 0o755);
  await vi.waitFor(() => reachable(address, 22), { timeout: 30_000, interval: 200 });
  return { address, container };
}

async function reachable(host: string, port: number): Promise<void> {
  const socket = connect({ host, port });
  await once(socket, 'data');
  socket.destroy();
}
