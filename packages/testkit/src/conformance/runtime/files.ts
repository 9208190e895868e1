import { describe, expect, test } from 'vitest';
import type { RuntimeFixture } from './fixture.ts';
import { uniqueName } from './fixture.ts';
import { output } from './shell.ts';

const everyByte = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);

/** `read` and `write`. */
export function fileTests(at: RuntimeFixture): void {
  describe('files', () => {
    test('come back byte for byte', async () => {
      await at.box.write('bytes', everyByte);
      expect(Buffer.from(await at.box.read('bytes')).equals(everyByte)).toBe(true);
      await at.box.write('bytes', '');
      expect(await at.box.read('bytes')).toHaveLength(0);
    });

    test('relative paths start at the workdir, parents are made, odd names are fine', async () => {
      const name = `${uniqueName()}/a b/'"$é`;
      await at.box.write(name, 'text é');
      expect(await output(at.box, 'cat "$1"', [`${at.box.workdir}/${name}`])).toBe('text é');
      const absolute = `${at.box.home}/${uniqueName()}/file`;
      await at.box.write(absolute, 'home');
      expect(Buffer.from(await at.box.read(absolute)).toString()).toBe('home');
    });

    test('have the mode they are given, 644 by default, also when they were there', async () => {
      const modeOf = async (file: string): Promise<string> =>
        (await output(at.box, 'ls -l "$1"', [file])).slice(0, 10);
      await at.box.write('mode', '');
      expect(await modeOf('mode')).toBe('-rw-r--r--');
      await at.box.write('mode', '', { mode: 0o755 });
      expect(await modeOf('mode')).toBe('-rwxr-xr-x');
      await at.box.write('secret', '', { mode: 0o600 });
      expect(await modeOf('secret')).toBe('-rw-------');
    });

    test('a missing one and a folder have a code', async () => {
      const missing = { code: 'runtime/file_not_found' };
      await expect(at.box.read('no/such/file')).rejects.toMatchObject(missing);
      await expect(at.box.read(at.box.workdir)).rejects.toHaveProperty(
        'code',
        expect.stringMatching(/^runtime\//),
      );
    });

    test('one that is too large is refused, one that just fits is read', async () => {
      await at.box.write('large', everyByte);
      const bound = (maxBytes: number): Promise<Uint8Array> => at.box.read('large', { maxBytes });
      await expect(bound(69_999)).rejects.toMatchObject({ code: 'runtime/file_too_large' });
      expect(await bound(70_000)).toHaveLength(70_000);
      const endless = at.box.read('/dev/zero', { maxBytes: 1000 });
      await expect(endless).rejects.toHaveProperty('code', expect.stringMatching(/^runtime\//));
    });
  });
}
