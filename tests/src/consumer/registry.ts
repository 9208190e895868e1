import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPage } from '../docs/page.ts';
import { exec } from './exec.ts';

/** A registry of our own for our scopes; everything else comes from the usual one. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** Lines for a project's `.npmrc`. */
  readonly npmrc: string;
  publish(tarball: string): Promise<void>;
}

const page = readPage('publishing.md');

/** A file that docs/publishing.md shows. */
function shown(name: string): string {
  const text = page.files.get(name);
  if (text === undefined) throw new Error(`docs/publishing.md shows no ${name}`);
  return text;
}

/** Starts Verdaccio as docs/publishing.md does, on a free port of the loopback, with its storage in `dir`. */
export async function startRegistry(dir: string): Promise<Registry> {
  await writeFile(join(dir, 'verdaccio.yaml'), shown('verdaccio.yaml'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const manifest = createRequire(import.meta.url).resolve('verdaccio/package.json');
  const child = spawn(
    process.execPath,
    [join(manifest, '../bin/verdaccio'), '--config', 'verdaccio.yaml', '--listen', String(port)],
    { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`verdaccio ended with ${child.exitCode}`);
    await sleep(100);
  }
  return {
    url,
    npmrc: shown('.npmrc').replaceAll('http://127.0.0.1:4873', url),
    publish: (tarball) => publish(url, tarball),
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/-/ping`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** What `npm publish` sends, without asking for a login. */
async function publish(url: string, tarball: string): Promise<void> {
  const [bytes, text] = await Promise.all([
    readFile(tarball),
    exec('tar', ['-xOzf', tarball, 'package/package.json']),
  ]);
  const manifest = JSON.parse(text) as { readonly name: string; readonly version: string };
  const { name, version } = manifest;
  const file = `${name}-${version}.tgz`;
  const dist = {
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
    tarball: `${url}/${name}/-/${file}`,
  };
  const response = await fetch(`${url}/${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      _id: name,
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
      _attachments: {
        [file]: {
          content_type: 'application/octet-stream',
          data: bytes.toString('base64'),
          length: bytes.length,
        },
      },
    }),
  });
  if (!response.ok)
    throw new Error(`publishing ${name}: ${response.status} ${await response.text()}`);
}
