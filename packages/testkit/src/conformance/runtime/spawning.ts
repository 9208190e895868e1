import type { Spawned } from '@vf/core';
import { describe, expect, test } from 'vitest';
import type { RuntimeFixture } from './fixture.ts';
import { uniqueName } from './fixture.ts';
import { allGone, pidsIn } from './shell.ts';

/** `spawn`: live stdio, signals, waiting. */
export function spawnTests(at: RuntimeFixture): void {
  const shell = (script: string, ...args: string[]): Promise<Spawned> =>
    at.box.spawn(['sh', '-c', script, 'sh', ...args]);

  describe('spawn', () => {
    test('talks to a running program', async () => {
      const program = await at.box.spawn(['cat']);
      const writer = program.stdin.getWriter();
      const reader = program.stdout.getReader();
      for (const word of ['ping', 'pöng']) {
        await writer.write(Buffer.from(word));
        const { value } = await reader.read();
        expect(Buffer.from(value ?? []).toString()).toBe(word);
      }
      await writer.close();
      expect((await reader.read()).done).toBe(true);
      expect(await program.wait()).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    });

    test('keeps the two outputs apart and gives all of them', async () => {
      const program = await shell('head -c 300000 /dev/zero; echo err >&2; exit 4');
      const [out, err, result] = await Promise.all([
        bytesOf(program.stdout),
        bytesOf(program.stderr),
        program.wait(),
      ]);
      expect(out.length).toBe(300_000);
      expect(err.toString()).toBe('err\n');
      expect(result.exitCode).toBe(4);
      expect(await program.wait()).toEqual(result);
    });

    test('kill ends the whole tree', async () => {
      const file = uniqueName();
      const program = await shell('echo $$ >> "$1"; sleep 600 & echo $! >> "$1"; wait', file);
      const pids = await pidsIn(at.box, file, 2);
      await program.kill('SIGKILL');
      expect((await program.wait()).exitCode).not.toBe(0);
      await allGone(at.box, pids);
      await program.kill();
    });

    test('a polite signal lets the program end by itself', async () => {
      const file = uniqueName();
      const program = await shell(
        'trap "exit 7" TERM; echo $$ >> "$1"; while :; do sleep 0.1; done',
        file,
      );
      await pidsIn(at.box, file, 1);
      await program.kill('SIGTERM');
      expect((await program.wait()).exitCode).toBe(7);
    });

    test('an abort and a timeout end it', async () => {
      const abort = new AbortController();
      const aborted = await at.box.spawn(['sleep', '600'], { signal: abort.signal });
      abort.abort();
      const late = await at.box.spawn(['sleep', '600'], { timeoutMs: 300 });
      await aborted.wait().catch(() => null);
      expect(await late.wait()).toMatchObject({ timedOut: true, exitCode: null });
    });

    test('refuses a program that is not there', async () => {
      const spawned = at.box.spawn(['vf-no-such-program']).then((program) => program.wait());
      await expect(spawned).rejects.toMatchObject({ code: 'runtime/exec_failed' });
    });
  });
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
