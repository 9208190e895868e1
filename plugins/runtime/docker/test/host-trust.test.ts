import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Box } from '@vf/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { boxes, noEngine, outside, signal } from './engine.ts';

describe.skipIf(noEngine)('a company with certificates and a proxy of its own', () => {
  const open = boxes();
  let dir: string;
  let server: Server;
  let proxy: Server;
  let url: string;
  let proxyUrl: string;
  const seen: string[] = [];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vf-company-'));
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=company', '-addext', `subjectAltName=IP:${outside}`];
    const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'ca.pem')];
    await promisify(execFile)('openssl', [...request, ...names, ...files]);
    const [key, cert] = await Promise.all(
      ['key.pem', 'ca.pem'].map((name) => readFile(join(dir, name))),
    );
    server = createServer({ key, cert }, (_asked, answer) => answer.end('inside the company'));
    url = `https://${outside}:${await listening(server, outside)}/`;
    proxy = recordingProxy(seen);
    proxyUrl = `http://127.0.0.1:${await listening(proxy, '127.0.0.1')}`;
  });
  beforeEach(() => {
    vi.stubEnv('VF_CACHE_DIR', dir);
    vi.stubEnv('SSL_CERT_FILE', join(dir, 'ca.pem'));
    vi.stubEnv('https_proxy', proxyUrl);
  });
  afterAll(async () => {
    server.close();
    proxy.close();
    await rm(dir, { recursive: true });
  });

  const programs = (node: string): readonly (readonly [string, readonly string[]])[] => [
    ['curl', ['curl', '-sS', '--max-time', '9', url]],
    [
      'python',
      [
        'python3',
        '-c',
        `from urllib.request import urlopen; print(urlopen('${url}').read().decode())`,
      ],
    ],
    ['node', [node, '-e', `fetch('${url}').then((r) => r.text()).then(console.log)`]],
  ];
  const ask = async (box: Box): Promise<Record<string, string>> => {
    const fill = async (to: string): Promise<void> => {
      await copyFile(process.execPath, join(to, 'node'));
      // Node 26 needs a library that few images have.
      const { stdout } = await promisify(execFile)('ldd', [process.execPath]);
      const library = /=> (\S*libatomic\S*)/.exec(stdout)?.[1];
      if (library !== undefined) await copyFile(library, join(to, basename(library)));
    };
    const tools = await box.toolbox({ key: 'node', fill }, signal);
    const answers: Record<string, string> = {};
    for (const [name, argv] of programs(`${tools}/node`)) {
      const { stdout, stderr } = await box.run(argv, { env: { LD_LIBRARY_PATH: tools ?? '' } });
      answers[name] = stdout.trim() || stderr;
    }
    return answers;
  };
  const well = 'inside the company';

  test('is reached by curl, Python and Node from a box with host_trust, through its proxy', async () => {
    const box = await open({ config: { host_trust: true } });
    expect(await ask(box)).toEqual({ curl: well, python: well, node: well });
    expect(seen).toEqual(Array(3).fill(`CONNECT ${new URL(url).host}`));
    await box.setNetwork({ mode: 'no-network' }, [], signal);
    expect((await ask(box))['curl']).not.toBe(well);
    expect(seen).toHaveLength(3);
  });

  test('is not trusted without it, and its proxy is not used', async () => {
    seen.length = 0;
    const box = await open();
    const answers = await ask(box);
    for (const name of ['curl', 'python', 'node']) expect(answers[name]).toMatch(/certificate/i);
    expect(seen).toEqual([]);
  });
});

async function listening(server: Server, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function recordingProxy(seen: string[]): Server {
  const proxy = createHttpServer();
  proxy.on('connect', ({ method, url }, near: Socket) => {
    seen.push(`${method} ${url}`);
    const { hostname, port } = new URL(`http://${url}`);
    const far = connect(Number(port), hostname, () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    far.on('error', () => near.destroy());
    near.on('error', () => far.destroy());
  });
  return proxy;
}
