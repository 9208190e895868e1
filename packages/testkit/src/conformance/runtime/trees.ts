import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RuntimeFixture } from './fixture.ts';
import { uniqueName } from './fixture.ts';
import { output, sh } from './shell.ts';

/** `upload` and `download`. */
export function treeTests(at: RuntimeFixture): void {
  const refused = { code: 'runtime/bad_archive' };

  describe('trees', () => {
    test('go in and out with modes, links, empty folders and bytes', async () => {
      const [source, back, name] = [
        await at.folder(),
        join(await at.folder(), 'new'),
        uniqueName(),
      ];
      await fill(source);
      await at.box.upload(source, name);
      expect(await output(at.box, 'cd "$1" && ./run.sh', [name])).toBe('ran');
      expect(await output(at.box, 'readlink "$1/deep/link"', [name])).toBe('../run.sh');
      await at.box.download(name, back);
      expect(await listing(back)).toEqual(await listing(source));
    });

    test('merge into a folder that is there', async () => {
      const [source, name] = [await at.folder(), uniqueName()];
      await writeFile(join(source, 'new'), 'new');
      await at.box.write(`${name}/old`, 'old');
      await at.box.upload(source, name);
      expect(await output(at.box, 'cat "$1/old" "$1/new"', [name])).toBe('oldnew');
    });

    test('a link out of the tree is refused on the way in', async () => {
      for (const target of ['/etc/hosts', '../outside']) {
        const source = await at.folder();
        await symlink(target, join(source, 'link'));
        await expect(at.box.upload(source, uniqueName())).rejects.toMatchObject(refused);
      }
    });

    test('a link out of the tree is refused on the way out', async () => {
      for (const target of ['/etc/hosts', '../outside']) {
        const [local, name] = [await at.folder(), uniqueName()];
        await sh(at.box, 'mkdir "$1" && ln -s "$2" "$1/link"', [name, target]);
        await expect(at.box.download(name, local)).rejects.toMatchObject(refused);
      }
    });

    test('what has no place here is left out where that is asked, and told', async () => {
      const [local, name] = [await at.folder(), uniqueName()];
      const odd =
        'mkdir -p "$1/sub" && mkfifo "$1/pipe" && ln -s /etc/hosts "$1/sub/out" && ln -s itself "$1/itself" && echo x > "$1/z"';
      await sh(at.box, odd, [name]);
      const leftOut: string[] = [];
      const note = (path: string): void => void leftOut.push(path);
      await at.box.download(name, local, undefined, { leftOut: note });
      expect(leftOut.toSorted()).toEqual(['pipe', 'sub/out']);
      expect((await readdir(local)).toSorted()).toEqual(['itself', 'sub', 'z']);
      expect(await readdir(join(local, 'sub'))).toEqual([]);
    });

    test('links go as they are where that is asked, and are followed nowhere', async () => {
      const [local, name, again] = [await at.folder(), uniqueName(), uniqueName()];
      const [outside, script] = [await at.folder(), 'mkdir "$1" && ln -s "$2" "$1/link"'];
      await writeFile(join(outside, 'file'), 'mine');
      await sh(at.box, script, [name, outside]);
      await at.box.download(name, local, undefined, { anyLink: true });
      expect(await readlink(join(local, 'link'))).toBe(outside);
      await at.box.upload(local, again, undefined, { anyLink: true });
      expect(await output(at.box, 'readlink "$1/link"', [again])).toBe(outside);
      expect(await readdir(outside)).toEqual(['file']);
    });

    test('nothing is written through a link that waits at the target', async () => {
      const [local, outside, name] = [await at.folder(), await at.folder(), uniqueName()];
      await symlink(outside, join(local, 'deep'));
      await at.box.write(`${name}/deep/file`, 'x');
      await at.box.download(name, local).catch(() => null);
      expect(await readdir(outside)).toEqual([]);
    });

    test('a missing one has a code', async () => {
      const download = at.box.download('no/such/folder', await at.folder());
      await expect(download).rejects.toMatchObject({ code: 'runtime/file_not_found' });
    });

    test('special files do not hang it', async () => {
      const [local, name] = [await at.folder(), uniqueName()];
      await sh(at.box, 'mkdir "$1" && mkfifo "$1/pipe" && echo x > "$1/file"', [name]);
      const outcome = await at.box.download(name, local).then(
        () => 'left out',
        (error: { code?: string }) => error.code,
      );
      expect(['left out', 'runtime/bad_archive']).toContain(outcome);
    });
  });
}

async function fill(root: string): Promise<void> {
  await mkdir(join(root, 'deep/empty'), { recursive: true });
  await writeFile(join(root, 'run.sh'), '#!/bin/sh\necho ran\n', { mode: 0o755 });
  await chmod(join(root, 'run.sh'), 0o755);
  await writeFile(join(root, 'deep/ünï côde'), Uint8Array.of(0, 255, 10), { mode: 0o600 });
  await symlink('../run.sh', join(root, 'deep/link'));
  await symlink('empty', join(root, 'deep/folder-link'));
  const long = join(root, 'n'.repeat(120), 'm'.repeat(120));
  await mkdir(long, { recursive: true });
  await writeFile(join(long, 'file'), 'long path');
}

/** Path, kind, mode and content of all that is in a folder. */
async function listing(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true });
  return Promise.all(
    entries.toSorted().map(async (entry) => {
      const path = join(root, entry);
      const stat = await lstat(path);
      if (stat.isSymbolicLink()) return `${entry} -> ${await readlink(path)}`;
      if (stat.isDirectory()) return `${entry}/`;
      return `${entry} ${(stat.mode & 0o777).toString(8)} ${(await readFile(path)).toString('hex')}`;
    }),
  );
}
