import { readFileSync, readdirSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Trace } from '@vf/core';
import { encodeTrace } from '@vf/core/trace';
import { makeTrace } from '@vf/testkit';
import type { MadeTurn } from '@vf/testkit';
import { RunWriter, readJournals } from '../src/index.ts';
import type { JournaledTrace } from '../src/index.ts';
import { Journal } from '../src/journal/journal.ts';
import { Child } from './child.ts';
import { episodeOf, newRun, outputFolder } from './folder.ts';

async function journaled(dir: string): Promise<JournaledTrace[]> {
  const found: JournaledTrace[] = [];
  for await (const one of readJournals(dir)) found.push(one);
  return found;
}

function turn(number: number, size = 10): MadeTurn {
  return {
    prompt: [{ role: 'user', content: `ask ${number}` }],
    reply: { role: 'assistant', content: `${number} `.padEnd(size, 'x'), reasoning: 'hm' },
  };
}

/** A trace without turns, and a function that adds the next one of a longer trace to it. */
function growing(id: string, turns: number, size?: number): { trace: Trace; grow: () => void } {
  const whole = makeTrace({ id, turns: Array.from({ length: turns }, (_, at) => turn(at, size)) });
  const trace = makeTrace({ id, turns: [], rewards: {} });
  const grow = (): void => {
    const call = whole.calls[trace.calls.length];
    if (call === undefined) throw new Error('no turn is left');
    for (const node of whole.graph.nodes.slice(trace.graph.nodes.length, (call.node ?? 0) + 1))
      trace.graph.restore(node);
    trace.calls.push(call);
  };
  return { trace, grow };
}

function filesOf(dir: string): string[] {
  return readdirSync(join(dir, 'journal')).map((name) => join(dir, 'journal', name));
}

/** Size of all journal files, bytes. */
function sizeOf(dir: string): number {
  return filesOf(dir).reduce((sum, path) => sum + readFileSync(path).length, 0);
}

describe('a journal', () => {
  test('has the turns of a trace as far as it went, whenever it was flushed', async () => {
    const dir = outputFolder();
    const journal = new Journal(join(dir, 'journal'), 's');
    const { trace, grow } = growing('one', 12);
    journal.open(trace, { episode: 'episode-1', attempt: 2 });
    await journal.flush();
    expect(await journaled(dir)).toEqual([]);
    for (let at = 0; at < 12; at++) {
      grow();
      journal.changed(trace);
      if (at % 3 === 1) await journal.flush();
    }
    await journal.flush();
    const [one, ...others] = await journaled(dir);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ episode: 'episode-1', attempt: 2 });
    expect(one === undefined ? null : encodeTrace(one.trace)).toEqual(encodeTrace(trace));
    await journal.close();
    expect((await journaled(dir)).map((each) => encodeTrace(each.trace))).toEqual([
      encodeTrace(trace),
    ]);
  });

  test('costs nothing for a rollout that ends before the next flush', async () => {
    const dir = outputFolder();
    const journal = new Journal(join(dir, 'journal'), 's');
    const { trace, grow } = growing('one', 1);
    journal.open(trace, { episode: 'episode-1', attempt: 1 });
    grow();
    journal.changed(trace);
    journal.done('episode-1');
    await journal.flush();
    expect(readdirSync(dir)).toEqual([]);
    await journal.close();
  });

  test('grows with the turns, not with their square', async () => {
    const size = async (turns: number): Promise<number> => {
      const dir = outputFolder();
      const journal = new Journal(join(dir, 'journal'), 's');
      const { trace, grow } = growing('one', turns, 2_000);
      journal.open(trace, { episode: 'episode-1', attempt: 1 });
      for (let at = 0; at < turns; at++) {
        grow();
        journal.changed(trace);
        await journal.flush();
      }
      const bytes = sizeOf(dir);
      await journal.close();
      return bytes;
    };
    expect((await size(200)) / (await size(20))).toBeLessThan(11);
  });

  test('is written anew when most of it is of finished rollouts', async () => {
    const dir = outputFolder();
    const slack = 50_000;
    const journal = new Journal(join(dir, 'journal'), 's', { slack });
    const open = growing('open', 100, 1_000);
    journal.open(open.trace, { episode: 'open', attempt: 1 });
    for (let at = 0; at < 100; at++) {
      const { trace, grow } = growing(`done-${at}`, 1, 10_000);
      journal.open(trace, { episode: `done-${at}`, attempt: 1 });
      for (const step of [grow, open.grow]) step();
      journal.changed(trace);
      journal.changed(open.trace);
      await journal.flush();
      journal.done(`done-${at}`);
      expect(sizeOf(dir)).toBeLessThan(
        3 * JSON.stringify(encodeTrace(open.trace)).length + slack + 20_000,
      );
    }
    const found = (await journaled(dir)).find(({ episode }) => episode === 'open');
    expect(found === undefined ? null : encodeTrace(found.trace)).toEqual(encodeTrace(open.trace));
    await journal.close();
    expect((await journaled(dir)).map(({ episode }) => episode)).toEqual(['open']);
  });

  test('leaves out a trace whose graph cannot be recorded', async () => {
    const dir = outputFolder();
    const journal = new Journal(join(dir, 'journal'), 's');
    const broken = growing('broken', 1);
    const sound = growing('sound', 1);
    for (const { trace, grow } of [broken, sound]) {
      journal.open(trace, { episode: trace.id, attempt: 1 });
      grow();
      journal.changed(trace);
    }
    const [call] = broken.trace.calls;
    if (call !== undefined) broken.trace.calls.push({ ...call, node: 99 });
    await journal.flush();
    expect((await journaled(dir)).map(({ episode }) => episode)).toEqual(['sound']);
    await journal.close();
  });
});

describe('a run', () => {
  test('keeps the turns of a cancelled rollout after its end, and those alone', async () => {
    const writer = await newRun(outputFolder());
    const done = episodeOf('done');
    const [finished] = done.traces;
    const { trace, grow } = growing('cancelled', 3);
    for (const [each, episode] of [
      [finished, done.id],
      [trace, 'cancelled'],
    ] as const) {
      if (each !== undefined) writer.journal(each, { episode, attempt: 1 });
    }
    for (const step of [grow, grow]) {
      step();
      writer.journalCall(trace);
    }
    await writer.append(done);
    await writer.close();
    const found = await journaled(writer.dir);
    expect(found.map(({ episode, trace: { turns } }) => [episode, turns])).toEqual([
      ['cancelled', 2],
    ]);

    const next = await RunWriter.resume(writer.dir);
    expect((await journaled(writer.dir)).map(({ episode }) => episode)).toEqual(['cancelled']);
    await next.append(episodeOf('other'));
    await next.close();
    expect((await journaled(writer.dir)).map(({ episode }) => episode)).toEqual(['cancelled']);
  });

  test('without an unfinished rollout leaves no journal', async () => {
    const writer = await newRun(outputFolder());
    const episode = episodeOf('a');
    const [trace] = episode.traces;
    if (trace === undefined) throw new Error('made episodes have a trace');
    writer.journal(trace, { episode: episode.id, attempt: 1 });
    writer.journalCall(trace);
    await expect.poll(() => filesOf(writer.dir).length).toBe(1);
    expect((await journaled(writer.dir)).map(({ episode: id }) => id)).toEqual([episode.id]);
    await writer.append(episode);
    expect(await journaled(writer.dir)).toEqual([]);
    await writer.close();
    expect(filesOf(writer.dir)).toEqual([]);
  });

  test(
    'that is killed leaves its turns; a resume drops those that are stored',
    { timeout: 30_000 },
    async () => {
      const dir = join(outputFolder(), 'run');
      const child = new Child(new URL('./children/journal.ts', import.meta.url), [dir]);
      await child.printed(1);
      await child.kill();
      const [file = ''] = filesOf(dir);
      await appendFile(file, '{"trace":"torn","epis');
      const killed = async (): Promise<unknown[]> =>
        (await journaled(dir)).map(({ episode, trace }) => [episode, trace.turns]);
      expect(await killed()).toEqual([['open', 1]]);
      expect(readFileSync(file, 'utf8')).toContain('"episode":"stored"');
      const writer = await RunWriter.resume(dir);
      expect(await killed()).toEqual([['open', 1]]);
      expect(readFileSync(file, 'utf8')).not.toContain('"episode":"stored"');
      await writer.close();
    },
  );
});
