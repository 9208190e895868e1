import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTaskset, z } from '@vf/core';
import { decodeEpisode } from '@vf/core/trace';
import { readEpisodeLine, readIndex } from '@vf/store';
import { answerSums, callTool, startScriptedModel } from '@vf/testkit';
import type { Script } from '@vf/testkit';
import { expect, test, vi } from 'vitest';
import { play } from './play.ts';

const sums = defineTaskset({
  data: z.object({ answer: z.number() }),
  state: () => ({ looked: 0 }),
  load: () =>
    Array.from({ length: 100 }, (_, i) => ({
      key: `sum-${i}`,
      prompt: `What is ${i} + ${i}?`,
      answer: 2 * i,
    })),
  tools: {
    look: {
      description: 'Looks at the sum',
      input: z.object({}),
      run: (_, { state }) => `looked ${++state.looked} times`,
    },
  },
  rewards: {
    right: ({ task, trace }) => Number(trace.lastReply === String(task.answer)),
    looked: ({ state }) => state.looked,
  },
});

test(
  '200 rollouts, 64 at once: all are whole, the index says what the file holds, nothing is left',
  {
    timeout: 120_000,
  },
  async () => {
    const answer = answerSums();
    const script: Script = (request) =>
      request.turn === 0 ? callTool('look', {}) : answer(request);
    await using model = await startScriptedModel({ script });
    const before = new Set(sockets());
    const { result, dir, episodes, events } = await play({
      taskset: sums,
      model,
      config: { rollouts_per_example: 2, max_concurrent: 64, 'harness.stream': true },
    });
    expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
    expect(result.summary.figures).toMatchObject({
      rollouts: 200,
      scored: 200,
      reward: { mean: 2 },
    });
    expect(model.turns).toHaveLength(400);
    expect(episodes).toHaveLength(200);
    expect(mostAtOnce(events)).toBe(64);

    const index = await readIndex(dir);
    const lines = (await readFile(join(dir, 'traces.jsonl'), 'utf8')).split('\n').slice(0, -1);
    expect(lines).toHaveLength(200);
    for (const entry of index) {
      const episode = decodeEpisode(JSON.parse(await readEpisodeLine(dir, entry)));
      const [trace] = episode.traces;
      expect(episode).toMatchObject({ id: entry.episode, attempt: entry.attempt, ok: true });
      expect(trace).toMatchObject({
        task: { key: entry.task, hash: entry.hash },
        turns: entry.turns,
      });
      expect(trace?.reward).toBe(entry.reward);
      expect(trace?.branches).toHaveLength(1);
      expect(trace?.usage.inputTokens).toBe(entry.inputTokens);
      expect(trace?.toolCalls).toHaveLength(1);
    }
    expect(new Set(index.map(({ task, attempt }) => `${task}:${attempt}`)).size).toBe(200);
    await model.close();
    await vi.waitFor(() => expect(sockets().filter((socket) => !before.has(socket))).toEqual([]), {
      timeout: 10_000,
    });
  },
);

/** Rollouts under way at the busiest moment, by the events of the run. */
function mostAtOnce(events: readonly { readonly type: string }[]): number {
  const open = new Set<string>();
  let most = 0;
  for (const event of events as readonly { type: string; episode?: string }[]) {
    if (event.episode === undefined) continue;
    if (event.type === 'rollout.finished') open.delete(event.episode);
    else if (event.type === 'rollout.phase') open.add(event.episode);
    most = Math.max(most, open.size);
  }
  return most;
}

/** Inodes of the TCP sockets that this process has open. */
function sockets(): string[] {
  const tcp = readFileSync('/proc/self/net/tcp', 'utf8').trim().split('\n').slice(1);
  const inodes = new Set(tcp.flatMap((line) => line.trim().split(/\s+/)[9] ?? []));
  return readdirSync('/proc/self/fd').flatMap((fd) => inodeOf(fd, inodes));
}

function inodeOf(fd: string, inodes: ReadonlySet<string>): string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`)) ?? [];
    return inode !== undefined && inodes.has(inode) ? [inode] : [];
  } catch {
    return [];
  }
}
