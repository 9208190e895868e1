import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { VfError } from '@vf/core/errors';
import { RunWriter, isLive } from '../src/index.ts';
import { processStart } from '../src/lock/process-start.ts';
import { RunLock } from '../src/lock/run-lock.ts';
import type { LockHolder } from '../src/lock/run-lock.ts';
import { Child } from './child.ts';
import { newRun, outputFolder } from './folder.ts';

/** A closed run whose lock says it is held by somebody else. */
async function runHeldBy(holder: Partial<LockHolder>): Promise<string> {
  const writer = await newRun(outputFolder());
  await writer.close();
  const all = { host: hostname(), pid: 1, started: 'then', token: 'dead-1', ...holder };
  writeFileSync(join(writer.dir, 'run.lock'), JSON.stringify(all));
  return writer.dir;
}

/** `taken` or the code of the error, sorted. */
function outcomes(settled: readonly PromiseSettledResult<unknown>[]): string[] {
  return settled
    .map((result) => (result.status === 'fulfilled' ? 'taken' : (result.reason as VfError).code))
    .toSorted();
}

/** Takes the lock by a resume, and gives it back; the code of the refusal, null for none. */
async function refusalOf(dir: string): Promise<string | null> {
  try {
    await (await RunWriter.resume(dir)).close();
    return null;
  } catch (error) {
    return (error as VfError).code;
  }
}

/** No process has it: above the largest id that Linux gives (proc(5), pid_max). */
const freePid = 2 ** 22 + 1;

describe('two writers', () => {
  test('the second of one process is refused, and let in after the first has closed', async () => {
    const writer = await newRun(outputFolder());
    expect(await isLive(writer.dir)).toBe(true);
    await expect(RunWriter.resume(writer.dir)).rejects.toMatchObject({
      code: 'store/locked',
      message: expect.stringContaining(`process ${process.pid} on ${hostname()}`) as string,
    });
    await writer.close();
    expect(await isLive(writer.dir)).toBe(false);
    await (await RunWriter.resume(writer.dir)).close();
  });

  test(
    'a live process of another program is not disturbed; a killed one is replaced',
    { timeout: 30_000 },
    async () => {
      const dir = join(outputFolder(), 'run');
      const child = new Child(new URL('./children/create.ts', import.meta.url), [dir, 'stay']);
      await child.printed(1);
      await expect(RunWriter.resume(dir)).rejects.toMatchObject({ code: 'store/locked' });
      await child.kill();
      const writer = await RunWriter.resume(dir);
      expect(JSON.parse(readFileSync(join(dir, 'run.lock'), 'utf8'))).toMatchObject({
        pid: process.pid,
      });
      await writer.close();
      expect(readdirSync(dir)).not.toContain('run.lock');
    },
  );

  test('of many that find a dead lock one takes it over', async () => {
    const dir = await runHeldBy({ pid: freePid });
    const takers = await Promise.allSettled(Array.from({ length: 20 }, () => RunLock.take(dir)));
    expect(outcomes(takers)).toEqual([...Array<string>(19).fill('store/locked'), 'taken']);
    expect(readdirSync(dir).filter((name) => name.startsWith('run.lock'))).toEqual(['run.lock']);
  });

  test('of many that start a run at once one does', async () => {
    const outputDir = outputFolder();
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => newRun(outputDir)));
    expect(outcomes(starts)).toEqual([...Array<string>(7).fill('store/exists'), 'taken']);
  });
});

describe('a lock left behind', () => {
  test.each<[string, Partial<LockHolder>, boolean]>([
    ['of a process that is gone', { pid: freePid }, false],
    [
      'of an earlier process with the id of a living one',
      { pid: process.pid, started: 'boot:1' },
      false,
    ],
    ['of this very process', { pid: process.pid, started: processStart(process.pid) ?? '' }, true],
    ['of a process whose start nobody knows', { pid: process.pid, started: 'unknown' }, true],
    ['of another host', { host: 'elsewhere', pid: freePid }, true],
  ])('%s', async (_name, holder, isHeld) => {
    const dir = await runHeldBy(holder);
    expect(await isLive(dir)).toBe(isHeld);
    expect(await refusalOf(dir)).toBe(isHeld ? 'store/locked' : null);
  });

  test('of another host says how to go on', async () => {
    const dir = await runHeldBy({ host: 'elsewhere' });
    await expect(RunWriter.resume(dir)).rejects.toMatchObject({
      hint: expect.stringContaining('run.lock') as string,
    });
  });

  test('without its content, after a power loss, is nobody’s', async () => {
    const dir = await runHeldBy({});
    writeFileSync(join(dir, 'run.lock'), '');
    expect(await refusalOf(dir)).toBeNull();
  });

  test('by a crash in the middle of a take-over is taken over as well', async () => {
    const dir = await runHeldBy({ pid: freePid, token: 'dead-1' });
    const guard = { host: hostname(), pid: freePid, started: 'then', token: 'dead-2' };
    writeFileSync(join(dir, 'run.lock.dead-1'), JSON.stringify(guard));
    await (await RunWriter.resume(dir)).close();
    expect(readdirSync(dir).filter((name) => name.startsWith('run.lock'))).toEqual([]);
  });

  test('is not removed by a writer that lost it', async () => {
    const dir = outputFolder();
    mkdirSync(dir, { recursive: true });
    const lock = await RunLock.take(dir);
    const other = JSON.stringify({ host: 'elsewhere', pid: 1, started: 'now', token: 'other' });
    writeFileSync(join(dir, 'run.lock'), other);
    await lock.release();
    expect(readFileSync(join(dir, 'run.lock'), 'utf8')).toBe(other);
  });
});
