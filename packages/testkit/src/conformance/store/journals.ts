import { expect } from 'vitest';
import { makeTrace } from '../../factories/trace.ts';
import type { StoreCheck, StoreFixture, StoreWriter } from './contract.ts';
import { episodeOf, expectStored, turnsInJournal } from './what-is-stored.ts';

/** Rollouts in progress. */
export const journals: readonly StoreCheck[] = [
  {
    name: 'the turns of a rollout in progress can be read, also after a close and a resume',
    run: async ({ store, start, resume, journalMs }) => {
      const { dir, writer } = await start();
      journalTurns(writer, 'open', 2);
      await expect
        .poll(() => turnsInJournal(store, dir), { timeout: journalMs })
        .toEqual({ open: 2 });
      await writer.close();
      expect(await turnsInJournal(store, dir)).toEqual({ open: 2 });
      const next = await resume(dir);
      expect(await turnsInJournal(store, dir)).toEqual({ open: 2 });
      await next.close();
      expect(await turnsInJournal(store, dir)).toEqual({ open: 2 });
      await expectStored(store, dir, []);
    },
  },
  {
    name: 'a rollout leaves the journal once its episode is stored',
    run: async ({ store, start, journalMs }) => {
      const { dir, writer } = await start();
      journalTurns(writer, 'done', 1);
      journalTurns(writer, 'open', 1);
      await expect
        .poll(() => turnsInJournal(store, dir), { timeout: journalMs })
        .toEqual({ done: 1, open: 1 });
      await writer.append(episodeOf('a', { fields: { id: 'done' } }));
      expect(await turnsInJournal(store, dir)).toEqual({ open: 1 });
      await writer.close();
      expect(await turnsInJournal(store, dir)).toEqual({ open: 1 });
    },
  },
  {
    name: 'turns that come later are added to those that are there',
    run: growing,
  },
];

async function growing({ store, start, journalMs }: StoreFixture): Promise<void> {
  const { dir, writer } = await start();
  const whole = traceOf('open', 3);
  const calls = whole.calls.splice(1);
  writer.journal(whole, { episode: 'open', attempt: 1 });
  for (const [at, call] of [...whole.calls, ...calls].entries()) {
    if (at > 0) whole.calls.push(call);
    writer.journalCall(whole);
    await expect
      .poll(() => turnsInJournal(store, dir), { timeout: journalMs })
      .toEqual({ open: at + 1 });
  }
}

/** Has a store journal a rollout of some turns that is not finished. */
function journalTurns(writer: StoreWriter, episode: string, turns: number): void {
  const trace = traceOf(episode, turns);
  writer.journal(trace, { episode, attempt: 1 });
  trace.calls.forEach(() => writer.journalCall(trace));
}

function traceOf(episode: string, turns: number): ReturnType<typeof makeTrace> {
  return makeTrace({
    id: `rollout-${episode}`,
    task: { key: episode },
    turns: Array.from({ length: turns }, (_, at) => ({
      prompt: [{ role: 'user', content: `turn ${at}` }],
      reply: { role: 'assistant', content: `reply ${at}` },
    })),
  });
}
