import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, system, toolCall, toolResult, user } from '../../test/messages.ts';
import { VfError } from '../errors/index.ts';
import type { Message } from '../message.ts';
import { textOf } from '../message.ts';
import { tokensOf } from '../trace/branch-tokens.ts';
import { decodeEpisode, encodeEpisode } from '../trace/index.ts';
import type { CaptureAbout } from './about.ts';
import { capture } from './capture.ts';
import type { ModelReply, ModelRequest } from './model.ts';

/** A clock that is read four times a second. */
function clock(): () => number {
  let at = 100;
  return () => (at += 0.25);
}

const about = (fields: Partial<CaptureAbout> = {}): CaptureAbout => ({
  task: { type: 'sums', key: 'sum-1', data: { prompt: '2+2?' } },
  agent: { model: 'byte-lm' },
  id: 'one',
  now: clock(),
  ...fields,
});

/** A model that says these one after another. */
function saying(...replies: readonly (ModelReply | Error)[]) {
  let at = 0;
  return async (_request: ModelRequest, _signal?: AbortSignal): Promise<ModelReply> => {
    const reply = replies[at++] ?? { message: assistant('nothing more') };
    await Promise.resolve();
    if (reply instanceof Error) throw reply;
    return reply;
  };
}

const shape = (messages: readonly Message[]): string =>
  messages.map(({ role }) => role[0]).join('');

describe('a captured loop [capture/trace]', () => {
  const tools = [{ name: 'add', parameters: { type: 'object' } }];
  const asks = assistant(null, { reasoning: 'Sum up.', toolCalls: [toolCall('c1', '{"a":2}')] });

  async function played() {
    const run = capture(
      saying(
        {
          message: asks,
          finish: 'tool_calls',
          usage: { inputTokens: 5, outputTokens: 3 },
          id: 'r1',
        },
        { message: assistant('4'), finish: 'stop', model: 'byte-lm-2', cost: 0.25 },
      ),
      about({ agent: { model: 'byte-lm', harness: { id: 'loop', version: '0.1.0' } } }),
    );
    const messages: Message[] = [system('Add.'), user('2+2?')];
    const settings = { temperature: 0 };
    const first = await run.model({ messages, tools, settings });
    // As loops do: the reasoning is not said again, the arguments are printed anew.
    const restated = assistant('', { toolCalls: [toolCall('c1', '{ "a": 2 }')] });
    messages.push(first.message === asks ? restated : first.message, toolResult('c1', '4'));
    await run.model({ messages, tools });
    run.reward('exact', 1, 0.5);
    run.metric('calls', 1);
    run.note({ commit: 'abc' });
    return { ...run, episode: run.finish() };
  }

  it('leaves one branch with tools, usage, times and what it asked for', async () => {
    const { trace } = await played();
    const [branch, ...others] = trace.branches;
    expect(others).toEqual([]);
    expect(shape(branch?.messages ?? [])).toBe('suata');
    expect(branch?.messages[2]).toEqual(asks);
    expect(branch?.tools).toEqual(tools);
    expect(trace.lastReply).toBe('4');
    expect(trace.calls).toMatchObject([
      {
        node: 2,
        requestedModel: 'byte-lm',
        model: 'byte-lm',
        settings: { model: 'byte-lm', stream: false, temperature: 0 },
        finish: 'tool_calls',
        usage: { inputTokens: 5, outputTokens: 3 },
        responseId: 'r1',
        error: null,
      },
      { node: 4, model: 'byte-lm-2', finish: 'stop', usage: null, cost: 0.25 },
    ]);
    expect(trace.timing).toEqual({
      start: 100.25,
      agent: { start: 100.25, end: 101.5, model: 0.5, harness: 0.75 },
    });
  });

  it('is an episode that comes back from its record', async () => {
    const { episode, trace } = await played();
    expect(episode).toMatchObject({ id: 'one', ok: true, attempt: 1 });
    const back = decodeEpisode(encodeEpisode(episode)).traces[0];
    expect(back).toMatchObject({
      reward: 0.5,
      stopCondition: 'agent_completed',
      isCompleted: true,
      metrics: { calls: 1 },
      info: { commit: 'abc' },
      turns: 2,
    });
    expect(back?.agent).toEqual(trace.agent);
    expect(back?.calls).toEqual(trace.calls);
  });

  it('ends once: the model is refused from then on', async () => {
    const { episode, finish, model } = await played();
    expect(finish({ stop: 'max_turns' })).toBe(episode);
    await expect(model({ messages: [user('more')] })).rejects.toMatchObject({
      code: 'usage/invalid',
      message: expect.stringContaining('sum-1'),
    });
  });
});

describe('calls at the same time [capture/parallel]', () => {
  it('share their past, each on a branch of its own, whoever is first', async () => {
    const waiting: (() => void)[] = [];
    const run = capture(async ({ messages }: ModelRequest): Promise<ModelReply> => {
      const last = textOf(messages.at(-1)?.content ?? null);
      if (messages.length > 1) await new Promise<void>((resolve) => waiting.push(resolve));
      return { message: assistant(`to ${last}`) };
    }, about());
    const messages: Message[] = [user('q')];
    messages.push((await run.model({ messages })).message);
    const calls = ['x', 'y'].map((text) => run.model({ messages: [...messages, user(text)] }));
    messages.push(user('changed while they are under way'));
    for (const go of waiting.toReversed()) go();
    await Promise.all(calls);
    expect(run.trace.branches.map(({ messages: said }) => said.at(-1)?.content)).toEqual([
      'to y',
      'to x',
    ]);
    expect(run.trace.graph.nodes.length).toBe(6);
    expect(run.trace.branches.map(({ trains }) => trains.length)).toEqual([2, 1]);
  });

  it('that are under way at the end leave nothing', async () => {
    let answer: (reply: ModelReply) => void = () => undefined;
    const run = capture(
      (_request: ModelRequest) => new Promise<ModelReply>((resolve) => (answer = resolve)),
      about(),
    );
    const late = run.model({ messages: [user('q')] });
    const episode = run.finish({ stop: 'max_turns' });
    answer({ message: assistant('late') });
    expect((await late).message.content).toBe('late');
    expect(episode.traces[0]).toMatchObject({ calls: [], stopCondition: 'max_turns' });
    expect(run.trace.graph.nodes).toEqual([]);
  });
});

describe('what fails [capture/errors]', () => {
  const failing: [string, Error, object][] = [
    [
      'a rate limit',
      Object.assign(new Error('slow down'), { status: 429 }),
      { status: 429, code: 'rate_limit' },
    ],
    [
      'a prompt too long',
      Object.assign(new Error('maximum context length is 10'), { status: 400 }),
      { status: 400, code: 'context_length' },
    ],
    ['an abort', new DOMException('stopped', 'AbortError'), { status: 0, code: 'aborted' }],
    ['a fault of the model', new TypeError('x is undefined'), { status: 0, code: 'provider' }],
  ];

  it.each(failing)('%s is a call without a node, and thrown on', async (_, thrown, error) => {
    const run = capture(saying(thrown, { message: assistant('ok') }), about());
    await expect(run.model({ messages: [user('q')] })).rejects.toBe(thrown);
    await run.model({ messages: [user('q')] });
    expect(run.trace.calls).toMatchObject([
      { node: null, error: { ...error, message: thrown.message } },
      { node: 1, error: null },
    ]);
    expect(run.trace.graph.nodes.length).toBe(2);
  });

  it('a loop that broke has no reward', async () => {
    const run = capture(saying(), about());
    run.reward('exact', 1);
    const episode = run.finish({ error: new Error('no such tool') });
    expect(episode.ok).toBe(false);
    expect(run.trace).toMatchObject({ reward: null, isCompleted: false, stopCondition: 'error' });
    expect(run.trace.errors).toMatchObject([
      { type: 'harness/failed', message: 'the loop threw: no such tool' },
    ]);
    expect(run.trace.errors[0]?.stack).toMatch(/capture\.test\.ts:\d+:\d+/);
  });

  it('a score that failed, or is none', () => {
    const run = capture(saying(), about());
    run.reward('judge', null);
    expect(() => run.reward('exact', Number.NaN)).toThrow(VfError);
    expect(() => run.reward('exact', 1, Number.POSITIVE_INFINITY)).toThrow('exact is Infinity');
    expect(() => run.metric('n', Number.NaN)).toThrow('n is NaN');
    expect(run.finish().ok).toBe(false);
    expect(run.trace.reward).toBeNull();
  });
});

describe('what the model saw and the loop got [capture/said-and-sent]', () => {
  it('a prompt that the model wrapper rewrote keeps both forms', async () => {
    const sent = [user('2+2? Key: …')];
    const run = capture(
      saying({ message: assistant('4'), sent }, { message: assistant('ok') }),
      about(),
    );
    const messages = [user('2+2? Key: 123')];
    const { message } = await run.model({ messages });
    await run.model({ messages: [...messages, message, user('sure?')] });
    expect(run.trace.graph.nodes[0]).toMatchObject({ message: sent[0], said: messages[0] });
    expect(run.trace.branches.map(({ messages: all }) => shape(all))).toEqual(['uaua']);
  });

  it('a reply that was told otherwise stands beside the sampled one, without tokens', async () => {
    const tokens = { promptIds: [1], completionIds: [2], logprobs: [-1] };
    const told = assistant('four');
    const run = capture(
      saying({ message: assistant('4'), told, tokens }, { message: assistant('ok') }),
      about(),
    );
    await run.model({ messages: [user('q')] });
    await run.model({ messages: [user('q'), told, user('sure?')] });
    const { nodes } = run.trace.graph;
    expect(nodes.map(({ sampled, parent }) => [sampled, parent])).toEqual([
      [false, null],
      [true, 0],
      [false, 0],
      [false, 2],
      [true, 3],
    ]);
    expect(nodes[2]?.links).toEqual([{ node: 1, type: 'rewrite' }]);
    expect(nodes[1]?.tokens).toBeUndefined();
  });

  it('as many messages are sent as were said', async () => {
    const run = capture(saying({ message: assistant('4'), sent: [] }), about());
    await expect(run.model({ messages: [user('q')] })).rejects.toThrow('0 messages were sent');
  });
});

describe('exact tokens [capture/tokens]', () => {
  it('say with their call what made them', async () => {
    const origin = {
      engine: 'vllm',
      renderer: null,
      retention: null,
      tokenizerSha256: 'ab'.repeat(32),
      templateSha256: null,
    };
    const tokens = { promptIds: [1], completionIds: [2], origin };
    const run = capture(saying({ message: assistant('yo'), tokens }), about());
    await run.model({ messages: [user('hi')] });
    expect(run.trace.calls[0]?.origin).toEqual(origin);
  });

  it('are in the graph as the model told them', async () => {
    const run = capture(
      saying({
        message: assistant('yo'),
        tokens: {
          promptIds: [1, 2, 3, 4],
          completionIds: [5, 6],
          logprobs: [-0.25, -0.5],
          spans: [[0, 3]],
        },
      }),
      about(),
    );
    await run.model({ messages: [user('hi')] });
    expect(run.trace.graph.nodes.map(({ tokens }) => [...(tokens?.ids ?? [])])).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it.each([
    ['half an id', { promptIds: [1.5], completionIds: [2] }, '1.5 is no token id'],
    ['an id below 0', { promptIds: [1], completionIds: [-2] }, '-2 is no token id'],
    ['a logprob too few', { promptIds: [1], completionIds: [2, 3], logprobs: [-1] }, '1 logprobs'],
    [
      'an id of no vocabulary',
      { promptIds: [1], completionIds: [9], space: { vocabulary: 9, context: null } },
      'token id 9',
    ],
  ])('%s: a named error, no node, nothing made up', async (_, tokens, words) => {
    const run = capture(saying({ message: assistant('yo'), tokens }), about());
    await expect(run.model({ messages: [user('hi')] })).rejects.toMatchObject({
      code: 'provider/malformed',
      message: expect.stringContaining(words),
    });
    expect(run.trace.calls).toMatchObject([{ node: null, error: { code: 'malformed' } }]);
    expect(run.trace.graph.nodes).toEqual([]);
  });

  it('of any loop are those of its calls, whatever it drops of its past', async () => {
    const step = fc.record({ said: fc.integer({ min: 1, max: 5 }), drop: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        let next = 0;
        const idsOf = (messages: readonly Message[]): number[] =>
          messages.flatMap(({ content }) =>
            Array.from(textOf(content), (char) => char.charCodeAt(0)),
          );
        const calls: number[][] = [];
        const run = capture(async ({ messages }: ModelRequest): Promise<ModelReply> => {
          const message = assistant(`r${next++}`);
          const [promptIds, completionIds] = [idsOf(messages), idsOf([message])];
          calls.push([...promptIds, ...completionIds]);
          return { message, tokens: { promptIds, completionIds } };
        }, about());
        let messages: Message[] = [];
        for (const { said, drop } of steps) {
          messages = [...(drop ? messages.slice(2) : messages), user('x'.repeat(said))];
          messages.push((await run.model({ messages })).message);
        }
        const { graph } = run.trace;
        const paths = run.trace.calls.map(({ node }) => graph.pathTo(node ?? -1));
        const ids = paths.map((path) =>
          path.flatMap((at) => [...(graph.nodes[at]?.tokens?.ids ?? [])]),
        );
        expect(ids).toEqual(calls);
        const trained = run.trace.branches.map((branch) => tokensOf(branch).lossMask);
        const count = trained.reduce((sum, mask) => sum + mask.reduce((a, b) => a + b, 0), 0);
        expect(count).toBe(2 * calls.length);
      }),
    );
  });
});

describe('a model of another form [capture/form]', () => {
  it('keeps its own type; the form says what went in and came out', async () => {
    const model = async (text: string, history: readonly string[]): Promise<{ out: string }> => ({
      out: `${history.length}:${text}`,
    });
    const run = capture(model, about(), {
      request: (text, history) => ({
        messages: [...history.map((said) => user(said)), user(text)],
      }),
      reply: ({ out }) => ({ message: assistant(out), finish: 'stop' }),
    });
    expect(await run.model('b', ['a'])).toEqual({ out: '1:b' });
    expect(run.trace.messages.map(({ content }) => content)).toEqual(['a', 'b', '1:b']);
  });
});

it('says that its data is made, where it is [capture/source]', () => {
  const { trace } = capture(saying(), about({ source: 'fixture' }));
  expect(trace.info).toEqual({ source_kind: 'fixture' });
});
