import { RunWriter } from '@vf/store';
import { makeEpisode } from '@vf/testkit';
import type { MadeTurn } from '@vf/testkit';

const perTurn = 40_000;

/** A run of one episode whose trace takes about so many bytes: tool results of 40 kB each, one after the other. */
export async function writeLongTrace(dir: string, runId: string, bytes: number): Promise<void> {
  const plan = { v: 1, run: { id: runId, name: null } };
  const writer = await RunWriter.create({ dir, runId, name: null, configToml: '', plan });
  const turns = Array.from({ length: Math.ceil(bytes / perTurn) }, (_, i) => turn(i));
  await writer.append(makeEpisode({ task: { key: 'long' }, turns }));
  await writer.close();
}

function turn(i: number): MadeTurn {
  const result = `${i}: ${'some "output" of a tool,\n'.repeat(perTurn / 28)}`;
  return {
    prompt: [
      i === 0
        ? { role: 'user', content: result }
        : { role: 'tool', toolCallId: `call-${i - 1}`, content: result },
    ],
    reply: {
      role: 'assistant',
      content: `Step ${i}.`,
      toolCalls: [{ id: `call-${i}`, name: 'bash', arguments: '{"command":"make"}' }],
    },
  };
}
