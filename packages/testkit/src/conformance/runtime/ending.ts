import { describe, expect, test } from 'vitest';
import type { RuntimeFixture } from './fixture.ts';
import { uniqueName } from './fixture.ts';
import { allGone, pidsIn, running, sh } from './shell.ts';

// A child, a grandchild that ignores polite signals, and (with $2) one in a session of its own.
const family = `echo $$ >> "$1"
sh -c 'trap "" TERM INT HUP; echo $$ >> "$0"; while :; do sleep 1; done' "$1" &
sh -c 'sleep 600 & echo $! >> "$0"; wait' "$1" &
if [ "$2" = setsid ]; then setsid sh -c 'echo $$ >> "$0"; exec sleep 600' "$1" & fi
wait`;

/** How programs end when they do not end by themselves. */
export function endingTests(at: RuntimeFixture): void {
  const leavesSession = at.options.without?.includes('kill-setsid') !== true;
  const members = leavesSession ? 4 : 3;
  const args = (file: string): string[] => [file, leavesSession ? 'setsid' : ''];

  describe('ending', () => {
    test('a timeout kills the whole tree and says so', async () => {
      const file = uniqueName();
      const result = await sh(at.box, family, args(file), { timeoutMs: 2000 });
      expect(result).toMatchObject({ timedOut: true, exitCode: null });
      await allGone(at.box, await pidsIn(at.box, file, members));
    });

    test('a timeout keeps the output that came', async () => {
      const result = await sh(at.box, 'echo before; sleep 60', [], { timeoutMs: 1000 });
      expect(result).toMatchObject({ timedOut: true, stdout: 'before\n' });
    });

    test('an abort rejects and kills the whole tree', async () => {
      const file = uniqueName();
      const abort = new AbortController();
      const run = sh(at.box, family, args(file), { signal: abort.signal });
      const outcome = run.then(
        () => 'resolved',
        () => 'rejected',
      );
      const pids = await pidsIn(at.box, file, members);
      expect(await running(at.box, pids)).toHaveLength(members);
      abort.abort();
      expect(await outcome).toBe('rejected');
      await allGone(at.box, pids);
      expect(await at.box.alive()).toBe(true);
    });

    test('an abort before the start starts nothing', async () => {
      const file = uniqueName();
      const aborted = AbortSignal.abort(new Error('no more'));
      const run = sh(at.box, 'touch "$1"', [file], { signal: aborted });
      await expect(run).rejects.toBeInstanceOf(Error);
      expect((await sh(at.box, 'test -e "$1"', [file])).exitCode).toBe(1);
    });
  });
}
