import { describe, expect, it } from 'vitest';
import { asSaid, assistant, user } from '../../test/messages.ts';
import { emptyTrace, modelCall } from '../../test/trace.ts';
import { sumUsage } from './trace.ts';

const failure = { status: 500, code: 'provider', message: 'down' } as const;

function oneTurn() {
  const trace = emptyTrace();
  const start = trace.graph.start([]);
  const prompt = asSaid([user('What is 1 + 1?')]);
  trace.graph.commit(start, prompt, { message: assistant('2') }, { timestamp: 1 });
  return trace;
}

describe('what the agent said', () => {
  it('is nothing before the first turn', () => {
    expect(emptyTrace().lastReply).toBe(null);
    expect(emptyTrace().messages).toEqual([]);
  });

  it('is the last reply of the main branch [graph/main-branch]', () => {
    const trace = oneTurn();
    expect(trace.lastReply).toBe('2');
    expect(trace.messages).toEqual([user('What is 1 + 1?'), assistant('2')]);
    expect(trace.turns).toBe(1);
  });

  it('is what a harness knows better: its own leaf, its own last word [graph/main-branch]', () => {
    const trace = oneTurn();
    const start = trace.graph.start([]);
    const reply = { message: assistant('3') };
    trace.graph.commit(start, asSaid([user('else')]), reply, { timestamp: 1 });
    trace.mainLeaf = 3;
    expect(trace.lastReply).toBe('3');
    trace.rootReply = 'two';
    expect(trace.lastReply).toBe('two');
  });

  it('follows the prompt that setup gave instead of the row [graph/main-branch]', () => {
    const trace = oneTurn();
    const reply = { message: assistant('9') };
    const prompt = asSaid([user('Observe: 9')]);
    trace.graph.commit(trace.graph.start([]), prompt, reply, { timestamp: 1 });
    trace.effectiveTask = { prompt: [user('Observe: 9')] };
    expect(trace.lastReply).toBe('9');
  });
});

describe('reward', () => {
  it('is the weighted sum of the scores there are, null when the rollout is not scored', () => {
    const trace = emptyTrace();
    Object.assign(trace.rewards, {
      a: { score: 1, weight: 0.5 },
      b: null,
      c: { score: -1, weight: 1 },
    });
    expect(trace.reward).toBe(null);
    trace.ok = true;
    expect(trace.reward).toBe(-0.5);
  });

  it('is null without any reward', () => {
    const trace = emptyTrace();
    trace.ok = true;
    expect(trace.reward).toBe(null);
  });
});

describe('usage', () => {
  it('counts each call once, whatever branches share it; input + output = total [graph/counting]', () => {
    const trace = oneTurn();
    const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 };
    trace.calls.push(modelCall({ node: 1, usage, cost: 0.5 }));
    trace.calls.push(modelCall({ error: failure, finish: null }));
    for (const text of ['x', 'y']) {
      const at = { node: 1, toolList: 0 };
      trace.graph.commit(at, asSaid([user(text)]), null, { timestamp: 2 });
    }
    expect(trace.branches).toHaveLength(2);
    expect(trace.usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cachedInputTokens: 4,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      cost: 0.5,
    });
  });

  it('has a cost only when each part has one', () => {
    const priced = { inputTokens: 1, outputTokens: 1, cost: 1 };
    expect(sumUsage([priced, priced]).cost).toBe(2);
    expect(sumUsage([priced, { inputTokens: 1, outputTokens: 1 }]).cost).toBe(undefined);
    expect(sumUsage([]).cost).toBe(undefined);
  });
});

describe('isTruncated', () => {
  it.each([
    ['max_turns', true],
    ['max_cost', true],
    ['compaction_failed', true],
    ['context_length', true],
    ['agent_completed', false],
    ['agent_timeout', false],
  ])('stop condition %s: %s', (condition, expected) => {
    const trace = emptyTrace();
    trace.stopCondition = condition;
    expect(trace.isTruncated).toBe(expected);
  });

  it('looks at the last call that did not fail', () => {
    const trace = emptyTrace();
    trace.calls.push(modelCall({ finish: 'length' }), modelCall({ finish: null, error: failure }));
    expect(trace.isTruncated).toBe(true);
    trace.calls.push(modelCall({ finish: 'stop' }));
    expect(trace.isTruncated).toBe(false);
  });
});
