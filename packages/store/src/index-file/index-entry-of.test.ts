import { describe, expect, test } from 'vitest';
import { makeEpisode, makeTrace } from '@vf/testkit';
import { joinGroup } from './join-group.ts';
import { fromRecord, toRecord } from './entry-record.ts';
import { indexEntryOf } from './index-entry-of.ts';
import type { GroupRecord } from '../group-record.ts';

const place = { offset: 10, length: 20 };
const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 };

describe('an entry', () => {
  test('sums up a finished episode', () => {
    const episode = makeEpisode({
      task: { key: 'sum-1', data: { name: 'two and two' } },
      attempt: 3,
    });
    expect(indexEntryOf(episode, place)).toEqual({
      episode: 'sum-1-3',
      task: 'sum-1',
      hash: '0'.repeat(64),
      name: 'two and two',
      attempt: 3,
      ...place,
      ok: true,
      reward: 1,
      rewards: { correct: 1 },
      weights: { correct: 1 },
      metrics: {},
      stop: 'agent_completed',
      isTimeout: false,
      isTruncated: false,
      error: null,
      retries: 0,
      turns: 1,
      inputTokens: 10,
      cachedInputTokens: 0,
      outputTokens: 5,
      cost: null,
      start: 1_700_000_000,
      end: 1_700_000_001,
      agentSeconds: 1,
      modelSeconds: 1,
    });
  });

  test('says which weights sampled it, each once, where the engine told', () => {
    const trace = makeTrace({});
    const [call] = trace.calls;
    if (call === undefined) throw new Error('no call');
    const versions = (...names: string[]) =>
      names.map((version, at) => ({ version, start: at, end: at + 1 }));
    trace.calls[0] = { ...call, weights: versions('step-1', 'step-2') };
    trace.calls.push({ ...call, weights: versions('step-2') });
    const entry = indexEntryOf({ ...makeEpisode({}), traces: [trace] }, place);
    expect(entry.modelWeights).toEqual(['step-1', 'step-2']);
    expect(fromRecord(toRecord(entry))).toEqual(entry);
  });

  test('without a score is not a zero, and names the error that left it so', () => {
    const episode = makeEpisode({ rewards: { correct: null } });
    episode.traces[0]?.errors.push(
      { type: 'provider/rate_limited', message: 'slow down', attempt: 1 },
      { type: 'scoring/hook_failed', message: 'no', phase: 'scoring' },
    );
    const { reward, rewards, error } = indexEntryOf(episode, place);
    expect({ reward, rewards, error }).toEqual({
      reward: null,
      rewards: { correct: null },
      error: { code: 'scoring/hook_failed', message: 'no', phase: 'scoring' },
    });
  });

  test('tells where the code of an author threw', () => {
    const episode = makeEpisode({ rewards: { correct: null } });
    const stack = 'Error: no\n    at exact (file:///home/me/sums.ts:25:113)';
    episode.traces[0]?.errors.push({ type: 'scoring/hook_failed', message: 'no', stack });
    expect(indexEntryOf(episode, place).error).toEqual({
      code: 'scoring/hook_failed',
      message: 'no',
      at: '/home/me/sums.ts:25:113',
    });
  });

  test('with a score has no error, though an earlier try had one', () => {
    const episode = makeEpisode();
    episode.traces[0]?.errors.push({ type: 'runtime/lost', message: 'gone', attempt: 1 });
    if (episode.traces[0] !== undefined) episode.traces[0].info['retries'] = 1;
    expect(indexEntryOf(episode, place)).toMatchObject({ reward: 1, error: null, retries: 1 });
  });

  test('of an episode whose environment failed has no score', () => {
    const failed = { errors: [{ type: 'taskset/hook_failed', message: 'oops' }], ok: false };
    const { reward, error } = indexEntryOf(makeEpisode({ fields: failed }), place);
    expect(reward).toBeNull();
    expect(error).toEqual({ code: 'taskset/hook_failed', message: 'oops' });
  });

  test('of several traces has the mean over the scored trainable ones', () => {
    const agent = { name: 'judge', trainable: false };
    const traces = [
      makeTrace({ id: '1', rewards: { correct: 1, tidy: 0 } }),
      makeTrace({ id: '2', rewards: { correct: 0, tidy: 1 } }),
      makeTrace({ id: '3', rewards: { correct: null } }),
      makeTrace({ id: '4', rewards: { correct: 9 }, agent: { ...makeTrace().agent, ...agent } }),
    ];
    const entry = indexEntryOf(makeEpisode({ fields: { traces } }), place);
    expect(entry).toMatchObject({
      reward: 1,
      rewards: { correct: 0.5, tidy: 0.5 },
      turns: 4,
      inputTokens: 40,
    });
  });

  test('of no trace is unscored', () => {
    const entry = indexEntryOf(makeEpisode({ fields: { traces: [], ok: false } }), place);
    expect(entry).toMatchObject({ reward: null, start: 0, end: 0, cost: 0, stop: null });
  });
});

describe('its cost', () => {
  /** Cost of an episode whose one call has these fields. */
  function costWith(
    fields: object,
    extra: readonly (typeof usage & { cost?: number })[] = [],
  ): number | null {
    const trace = makeTrace();
    const [call] = trace.calls;
    if (call !== undefined) trace.calls.splice(0, 1, { ...call, ...fields });
    trace.extraUsage.push(...extra);
    return indexEntryOf(makeEpisode({ fields: { traces: [trace] } }), place).cost;
  }
  const error = { status: 429, code: 'rate_limit', message: 'slow down' };

  test.each([
    ['is that of its calls', costWith({ cost: 0.5 }), 0.5],
    ['may come from the provider', costWith({ usage: { ...usage, cost: 0.25 } }), 0.25],
    ['has that of judges in it', costWith({ cost: 0.5 }, [{ ...usage, cost: 0.25 }]), 0.75],
    ['is unknown when that of a judge is', costWith({ cost: 0.5 }, [usage]), null],
    ['is unknown when a call has no price', costWith({ cost: null }), null],
    ['is unknown when a call has no usage', costWith({ cost: null, usage: null }), null],
    ['is nothing for a call that failed without a bill', costWith({ usage: null, error }), 0],
    [
      'is nothing for an earlier try without tokens',
      costWith({ cost: 1 }, [{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }]),
      1,
    ],
  ])('%s', (_name, cost, expected) => {
    expect(cost).toBe(expected);
  });
});

describe('joinGroup', () => {
  const entry = indexEntryOf(makeEpisode({ attempt: 2 }), place);
  const group = (fields: Partial<GroupRecord['rewards'][string]> = {}): GroupRecord => ({
    task: 'sum-1',
    attempts: [1, 2],
    rewards: { best: { weight: 2, scores: [0, 0.5], ...fields } },
  });

  test('adds weighted scores of its attempt', () => {
    expect(joinGroup(entry, group())).toEqual({
      ...entry,
      reward: 2,
      rewards: { correct: 1, best: 0.5 },
      weights: { correct: 1, best: 2 },
    });
  });

  test('leaves the episode unscored when the group could not be scored', () => {
    const error = 'scoring/timeout: took 60 s';
    expect(joinGroup(entry, group({ scores: [null, null], error }))).toMatchObject({
      reward: null,
      error: { code: 'scoring/timeout', message: 'took 60 s', phase: 'scoring' },
    });
  });

  test('keeps an unscored episode unscored, with its own error', () => {
    const failed = {
      ...entry,
      ok: false,
      reward: null,
      error: { code: 'runtime/lost', message: 'gone' },
    };
    expect(joinGroup(failed, group())).toMatchObject({ reward: null, error: failed.error });
  });

  test('is the whole reward where a task has no other', () => {
    const bare = indexEntryOf(makeEpisode({ rewards: {}, attempt: 2 }), place);
    expect(bare.reward).toBeNull();
    expect(joinGroup(bare, group()).reward).toBe(1);
  });

  test('does not touch other tasks and attempts', () => {
    expect(joinGroup({ ...entry, attempt: 9 }, group())).toEqual({ ...entry, attempt: 9 });
    expect(joinGroup({ ...entry, task: 'other' }, group())).toEqual({ ...entry, task: 'other' });
  });
});
