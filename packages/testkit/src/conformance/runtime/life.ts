import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { RuntimeFixture } from './fixture.ts';
import { uniqueName } from './fixture.ts';
import { isGoneOnHost, output, pidsIn, sh } from './shell.ts';

/** From `create` to `stop` and `cleanup`. */
export function lifeTests(at: RuntimeFixture): void {
  describe('life', () => {
    test('a box says who and where it is, and has a home outside its workdir', async () => {
      const { box } = at;
      expect(box.platform).toMatchObject({
        os: expect.stringMatching(/^(linux|darwin)$/) as string,
      });
      expect(['x64', 'arm64']).toContain(box.platform.arch);
      expect(box.home.startsWith(`${box.workdir}/`)).toBe(false);
      expect(await output(box, 'cd "$1" && touch kept && ls', [box.home])).toContain('kept');
      expect(await box.alive()).toBe(true);
    });

    test('stop ends what runs, may be called twice, and leaves a dead box', async () => {
      const box = await at.open();
      const file = uniqueName();
      const script = 'echo $$ >> "$1"; sleep 600 & echo $! >> "$1"; wait';
      const left = sh(box, script, [file]).catch(() => null);
      const pids = await pidsIn(box, file, 2);
      await Promise.all([box.stop(), box.stop()]);
      await left;
      await box.stop();
      expect(await box.alive()).toBe(false);
      await expect(box.run(['true'])).rejects.toHaveProperty(
        'code',
        expect.stringMatching(/^runtime\//),
      );
      expect(await leftOnHost(at, pids, [box.workdir, box.home])).toEqual([]);
    });

    test('stop finishes while everything is being cancelled', async () => {
      const abort = new AbortController();
      const box = await at.open({}, abort.signal);
      const run = sh(box, 'sleep 600', [], { signal: abort.signal }).catch(() => null);
      const stopped = box.stop();
      abort.abort();
      await Promise.all([stopped, run]);
      expect(await box.alive()).toBe(false);
    });

    test('an abort before or during create leaves no box', async () => {
      await expect(at.open({}, AbortSignal.abort())).rejects.toBeInstanceOf(Error);
      const abort = new AbortController();
      const opening = at.open({}, abort.signal);
      abort.abort();
      const box = await opening.catch(() => null);
      await box?.stop();
      expect((await box?.alive()) ?? false).toBe(false);
    });

    test('cleanup is synchronous, kills what runs and may be called twice', async () => {
      const box = await at.open();
      const file = uniqueName();
      const left = sh(box, 'echo $$ >> "$1"; exec sleep 600', [file]).catch(() => null);
      const pids = await pidsIn(box, file, 1);
      box.cleanup();
      box.cleanup();
      await left;
      expect(await leftOnHost(at, pids, [])).toEqual([]);
      await box.stop();
      box.cleanup();
    });

    test('many boxes live side by side and do not see each other', async () => {
      const count = at.options.boxes ?? 8;
      const boxes = await Promise.all(Array.from({ length: count }, () => at.open()));
      await Promise.all(boxes.map((box, index) => box.write('mine', String(index))));
      const read = await Promise.all(boxes.map((box) => output(box, 'cat mine; ls | wc -l')));
      expect(read.map((text) => text.replace(/\s/g, ''))).toEqual(
        boxes.map((_, index) => `${index}1`),
      );
      await Promise.all(boxes.map((box) => box.stop()));
    });

    test('a policy that the runtime does not offer is refused', async () => {
      const policies = [
        { mode: 'no-network' },
        { mode: 'allowlist', hosts: ['example.com'] },
      ] as const;
      for (const network of policies) {
        if (at.runtime.offers.policies.includes(network.mode)) continue;
        await expect(at.open({ network })).rejects.toHaveProperty('code');
      }
      expect(at.runtime.offers.policies).toContain('public');
    });
  });
}

/** What of these still is on the host; nothing where box and host are apart. */
async function leftOnHost(
  { options }: RuntimeFixture,
  pids: readonly string[],
  folders: readonly string[],
): Promise<string[]> {
  if (options.sharesHost !== true) return [];
  await vi.waitUntil(() => pids.every(isGoneOnHost), { timeout: 10_000 }).catch(() => null);
  return [
    ...pids.filter((pid) => !isGoneOnHost(pid)),
    ...folders.filter((folder) => existsSync(folder)),
  ];
}
