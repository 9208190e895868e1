import { once } from 'node:events';
import { resolve } from 'node:path';
import Docker from 'dockerode';
import { describe, expect, test } from 'vitest';
import { vfPlace } from '../cli/vf.ts';
import type { VfPlace } from '../cli/vf.ts';
import { makeTasks, writes } from '../harbor/make-tasks.ts';
import { engineSocket, leftBehind, noEngine } from './engine.ts';

const tests = resolve(import.meta.dirname, '../..');

/** @returns its process and what it told on stderr */
async function played(place: VfPlace, ...args: readonly string[]) {
  const child = place.start(['eval', 'harbor', '--harness', 'oracle', ...args]);
  let told = '';
  child.stderr?.on('data', (bytes: Buffer) => (told += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, told, pid: child.pid };
}

interface Shown {
  readonly record?: {
    readonly traces: readonly { readonly info: { readonly keptBox?: string } }[];
  };
}

describe.skipIf(noEngine)('runtime.keep', { timeout: 180_000 }, () => {
  test('"failed" leaves the box of an unscored rollout until vf cleanup, and tells the way into it', async () => {
    const solution = '#!/bin/sh\necho here > /app/trace.txt\n';
    const path = await makeTasks({
      scored: { solution, tests: writes('1') },
      unscored: { solution, tests: '#!/bin/sh\ntrue\n' },
    });
    const place = await vfPlace({ VF_PROJECT: tests, DOCKER_HOST: `unix://${engineSocket}` });
    const kept = ['--runtime.keep', 'failed', '--run', 'kept'];
    const { code, told, pid } = await played(place, '--taskset.path', path, ...kept);
    expect({ code, told }).toEqual({
      code: 3,
      told: expect.stringMatching(/^vf: 1 box kept: vf show kept TASK .*vf cleanup removes it$/m),
    });
    expect(await leftBehind(pid)).toEqual([expect.stringMatching(/^\/vf-kept-\w{12}$/)]);

    const [shown] = (await place.run('show', 'kept', 'unscored')) as readonly Shown[];
    const entry = shown?.record?.traces[0]?.info.keptBox ?? '';
    const [, name = ''] = /docker .*exec -it -w \/app (vf-kept-\w{12}) sh$/.exec(entry) ?? [];
    const box = await new Docker().getContainer(name).getArchive({ path: '/app/trace.txt' });
    box.resume();

    // Its own sweep comes first.
    await played(place, '--taskset.path', `${path}/scored`);
    expect(await leftBehind(pid)).toHaveLength(1);
    const [cleaned] = await place.run('cleanup');
    expect(JSON.stringify(cleaned)).toContain(`kept container ${name}`);
    expect(await leftBehind(pid)).toEqual([]);
  });
});
