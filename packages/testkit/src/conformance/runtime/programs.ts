import { describe, expect, test, vi } from 'vitest';
import type { RuntimeFixture } from './fixture.ts';
import { output, sh } from './shell.ts';

/** `run`: exit codes, output, input, environment, folder, user. */
export function programTests(at: RuntimeFixture): void {
  describe('run', () => {
    test('gives exit code, both outputs and a duration', async () => {
      const result = await sh(at.box, 'echo out; echo err >&2; exit 3');
      expect(result).toMatchObject({
        exitCode: 3,
        signal: null,
        stdout: 'out\n',
        stderr: 'err\n',
        truncated: false,
        timedOut: false,
        oomKilled: false,
        durationMs: expect.any(Number) as number,
      });
    });

    if (at.options.without?.includes('signals') !== true) {
      test('tells a death by signal', async () => {
        const result = await sh(at.box, 'kill -TERM $$; sleep 60');
        expect(result).toMatchObject({ exitCode: null, signal: 'SIGTERM', timedOut: false });
      });
    }

    test('passes arguments as they are: spaces, quotes, newlines, empty, not ASCII', async () => {
      const args = ['a b', `'"$HOME\\`, 'line\nline', '', 'é🙂', '-n', '*'];
      const result = await at.box.run([
        'sh',
        '-c',
        'for a; do printf "<%s>" "$a"; done',
        'sh',
        ...args,
      ]);
      expect(result.stdout).toBe(args.map((arg) => `<${arg}>`).join(''));
    });

    test('takes 120 KiB in one argument, and 480 in several', async () => {
      const args = ['w', 'x', 'y', 'z'].map((letter) => letter.repeat(120 * 1024));
      const result = await sh(at.box, 'printf %s "$@" | wc -c', args);
      expect(Number(result.stdout)).toBe(480 * 1024);
    });

    test('never tells a program that could not start as one that failed', async () => {
      const refused = expect.objectContaining({ code: 'runtime/exec_failed' }) as Error;
      await expect(at.box.run(['vf-no-such-program'])).rejects.toEqual(refused);
      await expect(at.box.run(['/'])).rejects.toEqual(refused);
      await expect(sh(at.box, 'true', [], { cwd: 'no/such/folder' })).rejects.toEqual(refused);
      const tooLong = at.box.run(['true', 'x'.repeat(3 * 1024 * 1024)]);
      await expect(tooLong).rejects.toEqual(refused);
      expect(await at.box.alive()).toBe(true);
    });

    test('bounds its output, keeps both ends and marks the gap', async () => {
      const script =
        'echo first; i=0; while [ $i -lt 3000 ]; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; i=$((i+1)); done; echo last';
      const { stdout, truncated } = await sh(at.box, script, [], { maxOutputBytes: 16 * 1024 });
      expect(truncated).toBe(true);
      expect(stdout).toMatch(/^first\n/);
      expect(stdout).toMatch(/last\n$/);
      expect(stdout.length).toBeLessThan(17 * 1024);
      expect(stdout.replace(/^first|last$|x|\s/gm, '')).not.toBe('');
    });

    test('reads more than the bound without waiting for ever', async () => {
      const result = await sh(at.box, 'head -c 8000000 /dev/zero; echo err >&2', [], {
        maxOutputBytes: 1024,
      });
      expect(result).toMatchObject({ exitCode: 0, truncated: true, stderr: 'err\n' });
    });

    test('feeds standard input and closes it; an unread one is no error', async () => {
      const fed = await at.box.run(['cat'], { stdin: 'é\n\u0000z' });
      expect(fed.stdout).toBe('é\n\u0000z');
      const large = new Uint8Array(3_000_000).fill(120);
      const counted = await at.box.run(['wc', '-c'], { stdin: large });
      expect(Number(counted.stdout)).toBe(large.length);
      expect((await at.box.run(['true'], { stdin: large })).exitCode).toBe(0);
      expect((await at.box.run(['cat'])).stdout).toBe('');
    });

    test('sets the environment it is given and leaks none of the host', async () => {
      vi.stubEnv('VF_CONFORMANCE_API_KEY', 'host-secret');
      const box = await at.open({ env: { FROM_SPEC: 'spec', BOTH: 'spec' } });
      const text = await output(box, 'env; printf "<%s>" "$ODD"', [], {
        env: { BOTH: 'call', ODD: 'a b\n"c"=$d' },
      });
      expect(text).toContain('FROM_SPEC=spec');
      expect(text).toContain('BOTH=call');
      expect(text).toContain('<a b\n"c"=$d>');
      expect(text).toMatch(/^PATH=/m);
      expect(text).not.toContain('host-secret');
    });

    test('starts in the workdir, or in a folder below it', async () => {
      await at.box.write('below/file', '');
      expect(await output(at.box, 'pwd -P')).toBe(
        await output(at.box, 'cd "$1" && pwd -P', [at.box.workdir]),
      );
      expect(await output(at.box, 'ls', [], { cwd: 'below' })).toBe('file');
      expect(await output(at.box, 'pwd', [], { cwd: '/' })).toBe('/');
    });

    test('returns when the program has ended, whatever it left in the background', async () => {
      const result = await sh(at.box, 'sleep 300 & echo $!');
      expect(result.exitCode).toBe(0);
      expect(result.stdout).toMatch(/^\d+\n$/);
      await sh(at.box, 'kill -9 "$1"', [result.stdout.trim()]);
    });

    test('runs many programs at once', async () => {
      const numbers = Array.from({ length: 24 }, (_, index) => String(index));
      const results = await Promise.all(
        numbers.map((number) =>
          output(at.box, 'cat; echo "$1"', [number], { stdin: `${number} ` }),
        ),
      );
      expect(results).toEqual(numbers.map((number) => `${number} ${number}`));
    });

    test('runs as another user where the runtime offers users, else refuses', async () => {
      const { name, id } = at.options.user ?? { name: 65534, id: 65534 };
      const outcome = await sh(at.box, 'id -u', [], { user: name }).then(
        (result) => result.stdout.trim(),
        () => 'refused',
      );
      expect(outcome).toBe(at.runtime.offers.users ? String(id) : 'refused');
    });
  });
}
