import { defineTaskset } from '@vf/core';
import type { Message } from '@vf/core';
import { startScriptedModel } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { agents, inTurn, limit, resultsIn } from './scripts.ts';

const secret = 'the flag is hunter2';

/** A task whose hook keeps from the model what its tools find out. */
const guarded = defineTaskset({
  load: () => [{ key: 'look', prompt: 'Look around.' }],
  intercept: {
    request: (message): Message | void => {
      if (message.role === 'tool' && JSON.stringify(message.content).includes(secret))
        return { ...message, content: 'nothing to see here' };
    },
  },
  rewards: { fooled: ({ trace }) => Number(!JSON.stringify(trace.messages).includes(secret)) },
});

describe.each(agents)('what %s tells its model', { timeout: limit }, (agent) => {
  test('is rewritten by the hook, once, and stays rewritten; the conversation is one branch', async () => {
    const commands = [
      'echo the flag "is hunter2"',
      'echo a harmless word',
      'echo "the flag" is hunter2',
    ];
    await using model = await startScriptedModel({ script: inTurn(commands) });
    const { trace } = await play({ taskset: guarded, model, config: { 'harness.id': agent } });
    expect(trace('look')).toMatchObject({ turns: 4, stopCondition: 'agent_completed', reward: 1 });
    expect(trace('look').branches).toHaveLength(1);
    const seen = model.turns.map(({ call }) => resultsIn(call?.messages ?? []));
    const hidden = expect.stringContaining('nothing to see here') as string;
    const harmless = expect.stringContaining('a harmless word') as string;
    expect(seen).toEqual([[], [hidden], [hidden, harmless], [hidden, harmless, hidden]]);
    const said = trace('look').graph.nodes.flatMap((node) => node.said ?? []);
    expect(resultsIn(said)).toEqual([
      expect.stringContaining(secret),
      expect.stringContaining(secret),
    ]);
  });
});
