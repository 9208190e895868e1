import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@vf/core';
import { RunWriter } from '@vf/store';
import { makeEpisode } from '@vf/testkit';
import type { MadeTurn } from '@vf/testkit';

/**
 * A trace of many turns of about a thousand tokens each: its size against the bytes of its distinct messages, its
 * processor time (adding the turns, and writing the episode) against writing those messages alone.
 */
const warmUps = 2;
const runs = 5;
const most = 1.1;

/** About 4 kB: the result of a tool, then a reply that calls it again. */
function turnsOf(count: number): MadeTurn[] {
  return Array.from({ length: count }, (_, i): MadeTurn => {
    const result = `${i}: ${'some "output" of a tool,\n'.repeat(120)}`;
    const toolCalls = [
      { id: `call-${i}`, name: 'bash', arguments: `{"command":"make step-${i}"}` },
    ];
    return {
      prompt: [
        i === 0
          ? { role: 'user', content: result }
          : { role: 'tool', toolCallId: `call-${i - 1}`, content: result },
      ],
      reply: {
        role: 'assistant',
        content: `Step ${i}. ${'A thought about it. '.repeat(40)}`,
        toolCalls,
      },
    };
  });
}

const distinct = (turns: readonly MadeTurn[]): Message[] =>
  turns.flatMap(({ prompt, reply }) => [...prompt, reply]);

interface Written {
  /** Milliseconds of processor time. */
  readonly cpu: number;
  readonly bytes: number;
}

async function measured(write: () => Promise<number>): Promise<Written> {
  const before = process.cpuUsage();
  const bytes = await write();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, bytes };
}

async function writeMessages(folder: string, turns: readonly MadeTurn[]): Promise<number> {
  const file = join(folder, 'messages.jsonl');
  await writeFile(
    file,
    distinct(turns)
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(''),
  );
  return (await stat(file)).size;
}

async function writeTrace(writer: RunWriter, turns: readonly MadeTurn[]): Promise<number> {
  return (await writer.append(makeEpisode({ turns }))).length;
}

const folder = await mkdtemp(join(tmpdir(), 'vf-bench-'));
const writer = await RunWriter.create({
  dir: join(folder, 'run'),
  runId: 'bench',
  name: null,
  configToml: '',
  plan: {},
});
let first = 0;
for (const count of [200, 400, 800]) {
  const turns = turnsOf(count);
  const sums = { bare: 0, vf: 0 };
  let ratio = 0;
  for (let i = -warmUps; i < runs; i++) {
    const bare = await measured(() => writeMessages(folder, turns));
    const vf = await measured(() => writeTrace(writer, turns));
    ratio = vf.bytes / bare.bytes;
    if (i < 0) continue;
    sums.bare += bare.cpu / runs;
    sums.vf += vf.cpu / runs;
  }
  if (count === 200) first = sums.vf;
  const growth =
    count === 200
      ? ''
      : `, ${(sums.vf / first).toFixed(2)} x that of 200 turns (linear: ${count / 200})`;
  console.log(
    `${count} turns: messages ${sums.bare.toFixed(1)} ms, trace ${sums.vf.toFixed(1)} ms${growth}`,
  );
  console.log(
    `  on disk ${ratio.toFixed(3)} x the bytes of the messages${count === 200 ? ` (at most ${most})` : ''}`,
  );
}
await writer.close();
await rm(folder, { recursive: true });
