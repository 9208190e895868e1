import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Trace } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { readIndex, readJournals } from '@vf/store';
import { callTool, hang, say, startScriptedModel } from '@vf/testkit';
import type { RecordedRequest, Script } from '@vf/testkit';
import { expect, test, vi } from 'vitest';
import { processesWith } from '../run/processes.ts';
import { kill, vfPlace } from './vf.ts';

const stages = resolve(import.meta.dirname, '../../fixtures/tasksets/stages.ts');

test(
  'after SIGKILL in every stage, nothing is lost, nothing repeated, and cleanup finds all that stands',
  { timeout: 120_000 },
  async () => {
    const place = await vfPlace({ GATE: 'gate' });
    const inPlace = (name: string): string => join(place.dir, name);
    await writeFile(inPlace('gate'), '');

    const script: Script = ({ messages, turn }) => {
      const stage = /in (\S+)\./.exec(
        textOf(messages.find(({ role }) => role === 'user')?.content ?? ''),
      )?.[1];
      if (turn > 0) return stage === 'model' && existsSync(inPlace('gate')) ? hang() : say('Done.');
      const stand = `touch ${inPlace('in-tool')}; while [ -e ${inPlace('gate')} ]; do sleep 1; done`;
      return callTool('bash', { command: stage === 'tool' ? stand : 'echo moving on' });
    };
    await using model = await startScriptedModel({ script });

    const provider = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
    const reached = new Set<string>();
    const victim = place.start(
      ['eval', stages, '--harness', 'bash', ...provider, '--run', 'killed'],
      ({ type, task = '', phase }) => {
        if (type === 'rollout.finished' || task === phase) reached.add(task);
      },
    );
    await vi.waitUntil(
      () => reached.size === 4 && existsSync(inPlace('in-tool')) && hangs(model.turns) === 1,
      { timeout: 60_000 },
    );
    const dir = inPlace('outputs/killed');
    const turnsOnDisk = async (): Promise<object> =>
      Object.fromEntries((await journaledIn(dir)).map(({ task, turns }) => [task.key, turns]));
    // The journal is written a few times a second.
    await vi.waitFor(
      async () => expect(await turnsOnDisk()).toEqual({ tool: 1, model: 1, scoring: 2 }),
      {
        timeout: 30_000,
      },
    );
    await kill(victim);

    const done = await readIndex(dir);
    expect(done.map(({ task }) => task).toSorted()).toEqual(['none', 'none-either']);
    expect(await turnsOnDisk()).toEqual({ tool: 1, model: 1, scoring: 2 });
    const journaled = await journaledIn(dir);
    const inTool = journaled.find(({ task }) => task.key === 'tool')?.id ?? 'none';
    expect(processesWith(inTool)).not.toEqual([]);
    const standing = await leftovers(place.run('cleanup', '--dry-run'));
    expect(standing).toHaveLength(4);
    expect(standing).toEqual(expect.arrayContaining(journaled.map(({ id }) => id)));
    expect(await leftovers(place.run('cleanup'))).toEqual(standing);
    expect(processesWith(inTool)).toEqual([]);
    expect(await leftovers(place.run('cleanup'))).toEqual([]);

    await rm(inPlace('gate'));
    const asked = model.turns.length;
    await place.run('resume', 'killed');
    const all = await readIndex(dir);
    expect(all).toHaveLength(6);
    expect(all).toEqual(expect.arrayContaining([...done]));
    expect(all.map(({ reward }) => reward)).toEqual([2, 2, 2, 2, 2, 2]);
    // Two calls each for the four that were cut off.
    expect(model.turns.length - asked).toBe(8);
    // What the killed rollouts had done stays to be looked at.
    expect((await journaledIn(dir)).map(({ id }) => id)).toEqual(journaled.map(({ id }) => id));
  },
);

/** How many second calls are waiting. */
function hangs(turns: readonly RecordedRequest[]): number {
  return turns.filter(({ call, outcome }) => call?.turn === 1 && outcome === 'open').length;
}

/** Rollouts of the boxes that cleanup names. */
async function leftovers(output: Promise<readonly object[]>): Promise<string[]> {
  const [document] = (await output) as [
    { runtimes: { leftovers: { labels: { rollout: string } }[] }[] },
  ];
  return document.runtimes
    .flatMap((runtime) => runtime.leftovers.map(({ labels }) => labels.rollout))
    .toSorted();
}

async function journaledIn(dir: string): Promise<Trace[]> {
  return Array.fromAsync(readJournals(dir), ({ trace }) => trace);
}
