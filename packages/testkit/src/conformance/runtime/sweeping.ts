import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import type { RuntimeFixture } from './fixture.ts';
import { ownLabels, uniqueName } from './fixture.ts';
import { isGoneOnHost, killOnHost } from './shell.ts';

interface Left {
  readonly pid: string;
  readonly workdir: string;
}

// Makes a box with a running program in it, says so, and waits to be killed. With `keeps` it ends by itself instead, once
// the box is kept.
const maker = `
const [module, spec, keeps] = JSON.parse(process.argv[1]);
const { default: runtime } = await import(module);
const labels = { ...spec.labels, pid: process.pid, started: Math.floor(Date.now() - performance.now()) };
const box = await runtime.create({ ...spec, labels }, new AbortController().signal);
const program = await box.spawn(['sh', '-c', 'echo $$; exec sleep 600']);
const { value } = await program.stdout.getReader().read();
console.log(JSON.stringify({ pid: Buffer.from(value).toString().trim(), workdir: box.workdir }));
if (keeps) {
  await box.keep();
  await box.stop();
  box.cleanup();
  runtime.cleanup?.();
  process.exit();
}
setInterval(() => {}, 60000);
`;

/** `sweep`: what a killed process left is found again. */
export function sweepTests(at: RuntimeFixture): void {
  const sweep = async (
    rollout: string,
    dryRun: boolean,
    olderThanMs = 0,
    kept = false,
  ): Promise<number> => {
    const found = await at.runtime.sweep({ olderThanMs, dryRun, kept }, at.signal);
    return found.filter((leftover) => leftover.labels.rollout === rollout).length;
  };

  describe('sweep', () => {
    test('a box whose maker was killed is listed, then removed, then gone', async () => {
      const rollout = uniqueName();
      const { child, left } = await leaveBox(at, rollout);
      try {
        expect(await sweep(rollout, false)).toBe(0);
        child.kill('SIGKILL');
        await once(child, 'exit');
        expect(await sweep(rollout, false, 3_600_000)).toBe(0);
        expect(await sweep(rollout, true)).toBe(1);
        expect(await sweep(rollout, true)).toBe(1);
        expect(await sweep(rollout, false)).toBe(1);
        expect(await sweep(rollout, true)).toBe(0);
        if (at.options.sharesHost !== true) return;
        await expect.poll(() => isGoneOnHost(left.pid), { timeout: 10_000 }).toBe(true);
        await expect(access(left.workdir)).rejects.toThrow('ENOENT');
      } finally {
        child.kill('SIGKILL');
        if (at.options.sharesHost === true) killOnHost(left.pid);
      }
    });

    test('a box that is kept outlives its maker and sweeps, until one asks for those that are kept', async ({
      skip,
    }) => {
      if (at.box.keep === undefined) skip('the runtime keeps no boxes');
      const rollout = uniqueName();
      const { child, left } = await leaveBox(at, rollout, true);
      if (child.exitCode === null) await once(child, 'exit');
      expect(await sweep(rollout, false)).toBe(0);
      if (at.options.sharesHost === true) await access(left.workdir);
      expect(await sweep(rollout, true, 0, true)).toBe(1);
      expect(await sweep(rollout, false, 0, true)).toBe(1);
      expect(await sweep(rollout, true, 0, true)).toBe(0);
      if (at.options.sharesHost !== true) return;
      await expect(access(left.workdir)).rejects.toThrow('ENOENT');
    });

    test('a box of a living maker is left alone', async () => {
      const labels = { ...ownLabels(), rollout: uniqueName() };
      const box = await at.open({ labels });
      expect(await sweep(labels.rollout, false)).toBe(0);
      expect(await box.alive()).toBe(true);
    });

    test('a box that was stopped is not found', async () => {
      const labels = { ...ownLabels(), rollout: uniqueName() };
      const box = await at.open({ labels });
      await box.stop();
      expect(await sweep(labels.rollout, true)).toBe(0);
    });
  });
}

async function leaveBox(
  { options }: RuntimeFixture,
  rollout: string,
  keeps = false,
): Promise<{ child: ChildProcess; left: Left }> {
  const spec = { config: {}, ...options.spec, labels: { ...ownLabels(), rollout } };
  const input = JSON.stringify([options.module.href, spec, keeps]);
  const args = ['--conditions=@vf/source', '--input-type=module', '-e', maker, input];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const gone = once(child, 'exit').then(() =>
    Promise.reject(new Error('the maker of the box died')),
  );
  const [line] = (await Promise.race([once(lines, 'line'), gone])) as [string];
  gone.catch(() => null);
  return { child, left: JSON.parse(line) as Left };
}
