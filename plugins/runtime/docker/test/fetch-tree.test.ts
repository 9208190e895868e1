import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Headers } from 'tar-stream';
import { pack } from 'tar-stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { engineAt } from '../src/engine/engine.ts';
import { fetchTree } from '../src/files/fetch-tree.ts';

/** Bits of Go's fs.FileMode for a folder that anyone may look into. */
const folderMode = 2 ** 31 + 0o755;

/** An engine that gives for any path of any container an archive of a folder `t` with these entries. */
async function engineWith(entries: () => readonly Headers[]) {
  const server = createServer((_request, answer) => {
    const stat = { name: 't', size: 0, mode: folderMode, linkTarget: '' };
    const encoded = Buffer.from(JSON.stringify(stat)).toString('base64');
    answer.setHeader('x-docker-container-path-stat', encoded);
    const tar = pack();
    for (const header of entries()) tar.entry(header, header.type === 'file' ? 'x' : '');
    tar.finalize();
    tar.pipe(answer);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return engineAt(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`).docker;
}

test('whatever an archive says, nothing beside the folder is written, made or changed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'vf-fetch-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const outside = join(root, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'file'), 'mine');
  await chmod(outside, 0o700);
  const inside = fc.constantFrom('t', 't/a', 't/a/b', 't/a/file');
  const name = fc.oneof(
    { arbitrary: inside, weight: 20 },
    { arbitrary: fc.constantFrom('/t/a', 't/../a', '../outside/file'), weight: 1 },
  );
  const entry = fc.record({
    name,
    type: fc.constantFrom('file', 'directory', 'symlink', 'link', 'fifo'),
    linkname: fc.oneof(name, fc.constantFrom(outside, '../outside', '../../outside', '.')),
    mode: fc.constantFrom(0o644, 0o755, 0o777),
  } as const);
  let entries: readonly Headers[] = [];
  const container = (await engineWith(() => entries)).getContainer('box');
  const cases = fc.asyncProperty(
    fc.array(entry, { maxLength: 8 }),
    fc.boolean(),
    fc.boolean(),
    async (given, anyLink, isLenient) => {
      entries = given;
      const local = join(root, 'local');
      const options = { anyLink, ...(isLenient ? { leftOut: () => {} } : {}) };
      await fetchTree(container, '/t', local, undefined, options).catch(() => null);
      expect((await readdir(root)).filter((found) => found !== 'local')).toEqual(['outside']);
      expect(await readdir(outside)).toEqual(['file']);
      const modes = [outside, join(outside, 'file')].map(async (path) => (await lstat(path)).mode);
      expect((await Promise.all(modes)).map((mode) => mode & 0o777)).toEqual([0o700, 0o644]);
      await rm(local, { recursive: true, force: true });
    },
  );
  await fc.assert(cases, { numRuns: 600 });
});

test('rights that an agent took from its own files are in nobody’s way here', async () => {
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  onTestFinished(() => void vi.restoreAllMocks());
  const local = await mkdtemp(join(tmpdir(), 'vf-fetch-'));
  onTestFinished(() => rm(local, { recursive: true, force: true }));
  const entries: readonly Headers[] = [
    { name: 't/folder', type: 'directory', mode: 0o055 },
    { name: 't/folder/file', type: 'file', mode: 0o044 },
  ];
  const container = (await engineWith(() => entries)).getContainer('box');
  const modes = async (): Promise<number[]> => {
    const paths = ['folder', 'folder/file'].map((path) => lstat(join(local, path)));
    return (await Promise.all(paths)).map(({ mode }) => mode & 0o777);
  };
  await fetchTree(container, '/t', local, undefined, { leftOut: () => {} });
  expect(await modes()).toEqual([0o755, 0o644]);
});
