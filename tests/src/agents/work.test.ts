import { defineTaskset, z } from '@vf/core';
import { textOf } from '@vf/core/trace';
import fileEdit from '@vf/example-file-edit';
import { say, startScriptedModel } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { agents, editScript, limit, resultsIn, taskCall } from './scripts.ts';

describe.each(agents)('%s at work', { timeout: limit }, (agent) => {
  const config = { 'harness.id': agent };

  test('edits files; each trace is one branch with tools, results and tokens', async () => {
    await using model = await startScriptedModel({ script: editScript });
    const { result, episodes } = await play({ taskset: fileEdit, model, config });
    expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
    expect(episodes.map(({ task }) => task.key).toSorted()).toEqual([
      'notes.txt',
      'settings.ini',
      'src/greet.py',
    ]);
    for (const { traces } of episodes) {
      const [trace] = traces;
      const { find, replace } = trace?.task.data ?? {};
      expect(trace).toMatchObject({ reward: 1, stopCondition: 'agent_completed', turns: 2 });
      expect(trace?.branches).toHaveLength(1);
      const [branch] = trace?.branches ?? [];
      expect(branch?.tools.length).toBeGreaterThan(3);
      expect(branch?.messages.slice(-3).map(({ role }) => role)).toEqual([
        'assistant',
        'tool',
        'assistant',
      ]);
      expect(resultsIn(trace?.messages ?? [])).toEqual([expect.stringContaining(String(replace))]);
      expect(resultsIn(trace?.messages ?? []).join()).not.toContain(find);
      expect(trace?.usage.inputTokens).toBeGreaterThan(1000);
      expect(trace?.calls.map(({ error, node }) => [error, node !== null])).toEqual([
        [null, true],
        [null, true],
      ]);
      expect(trace?.agent.harness).toMatchObject({
        id: agent,
        version: expect.stringMatching(/^\d/),
      });
    }
  });

  const talk = (session: 'resume' | 'fresh') =>
    defineTaskset({
      load: () => [{ key: 'talk', prompt: 'Name a bird.' }],
      next: ({ trace }) => (trace.turns < 2 ? { prompt: 'And another?', session } : null),
      rewards: { birds: ({ trace }) => (trace.lastReply ?? '').split(' ').length },
    });

  test('goes on in its conversation when the task has a further turn', async () => {
    await using model = await startScriptedModel({
      script: ({ turn }) => say(turn === 0 ? 'heron' : 'heron stork'),
    });
    const { trace } = await play({ taskset: talk('resume'), model, config });
    expect(trace('talk')).toMatchObject({ reward: 2, turns: 2 });
    expect(trace('talk').branches).toHaveLength(1);
    const said = trace('talk').messages.map(({ content }) => textOf(content));
    expect(said.findIndex((text) => text.includes('Name a bird.'))).toBeGreaterThan(-1);
    expect(said.slice(-3)).toEqual([
      'heron',
      expect.stringContaining('And another?'),
      'heron stork',
    ]);
  });

  test('starts anew when the further turn is to be fresh', async () => {
    await using model = await startScriptedModel({ script: () => say('heron') });
    const { trace } = await play({ taskset: talk('fresh'), model, config });
    expect(trace('talk')).toMatchObject({ turns: 2 });
    const [first, second] = trace('talk').branches.map(({ messages }) =>
      messages.map(({ content }) => textOf(content)).join('\n'),
    );
    expect(first).toContain('Name a bird.');
    expect(second).toContain('And another?');
    expect(second).not.toContain('Name a bird.');
  });

  test('calls the tools of the task over MCP, in the state that the scoring sees', async () => {
    const taskset = defineTaskset({
      state: () => ({ total: 0 }),
      load: () => [{ key: 'sum', prompt: 'Add 2 and 40.' }],
      tools: {
        add: {
          description: 'Adds to the total',
          input: z.object({ by: z.number() }),
          run: ({ by }, { state }) => `total ${(state.total += by)}`,
        },
        done: {
          description: 'Ends the work',
          input: z.object({}),
          run: () => ({ content: 'over', end: { reason: 'handed_in', rewards: { early: 0.5 } } }),
        },
      },
      rewards: { total: ({ state }) => state.total },
    });
    await using model = await startScriptedModel({
      script: (request) => {
        if (request.turn === 0) return taskCall(request, 'add', { by: 2 });
        if (request.turn === 1) return taskCall(request, 'add', { by: 40 });
        if (request.turn === 2) return taskCall(request, 'add', { by: 'many' });
        return taskCall(request, 'done', {});
      },
    });
    const { trace } = await play({ taskset, model, config });
    expect(trace('sum').toolCalls.map(({ name, error }) => [name, error])).toEqual([
      ['add', null],
      ['add', null],
      ['add', expect.stringContaining('wrong arguments for add')],
      ['done', null],
    ]);
    expect(trace('sum')).toMatchObject({
      stopCondition: 'handed_in',
      rewards: { total: { score: 42 }, early: { score: 0.5 } },
    });
    expect(resultsIn(trace('sum').messages).slice(0, 2)).toEqual([
      expect.stringContaining('total 2'),
      expect.stringContaining('total 42'),
    ]);
  });
});
