import { describe, expect, it } from 'vitest';
import type { TraceNode } from '../src/trace/node.ts';
import { decodeEpisode, encodeEpisode, episodeToLine } from '../src/trace/index.ts';
import type { Episode, Trace } from '../src/trace/index.ts';
import { contentsOf } from './episodes.ts';
import { fullEpisode } from './full-episode.ts';
import { asSaid, assistant, system, user } from './messages.ts';
import { emptyTrace, modelCall } from './trace.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- records are taken apart and broken on purpose
type Json = any;

function episodeOf(...traces: Trace[]): Episode {
  const { task } = emptyTrace();
  const rest = { attempt: 1, errors: [], ok: true, isTimeout: false };
  return { id: 'e1', env: { id: 'single' }, task, traces, ...rest };
}

const recordOf = (trace: Trace): Json => JSON.parse(episodeToLine(episodeOf(trace))).traces[0];

function withNode(node: Partial<TraceNode>): Trace {
  const trace = emptyTrace();
  trace.graph.restore({
    parent: null,
    message: user('q'),
    sampled: false,
    timestamp: 1,
    ...node,
  });
  return trace;
}

describe('the record', () => {
  it('of an episode with everything in it is the one that verifiers loads [record/verifiers-loads]', async () => {
    // Checked with verifiers 0.4.0: `WireEpisode.model_validate` keeps every key.
    const line = `${episodeToLine(fullEpisode())}\n`;
    await expect(line).toMatchFileSnapshot('./fixtures/golden/full-episode.jsonl');
  });

  it('of a smallest episode is the one that verifiers loads [record/verifiers-loads] [record/nulls-left-out]', async () => {
    const line = `${episodeToLine(episodeOf(emptyTrace()))}\n`;
    await expect(line).toMatchFileSnapshot('./fixtures/golden/empty-episode.jsonl');
    expect(line).not.toContain(':null');
  });

  it('gives the full episode back, but for what JSON cannot hold [record/round-trip]', () => {
    const given = fullEpisode();
    const back = decodeEpisode(encodeEpisode(given));
    const reply = back.traces[0]?.graph.nodes[5];
    expect(reply?.message.content).toBe('cheated \ufffd');
    const contents = contentsOf(back) as Json;
    contents.traces[0].graph[5] = given.traces[0]?.graph.nodes[5];
    contents.traces[0].graph[2].tokens.logprobs = Float32Array.of(-0.123_456, -2);
    contents.traces[0].unknown = {};
    expect(contents).toEqual(contentsOf(given));
  });

  it('has the names of the peer for usage: prompt tokens without cache reads [record/usage]', () => {
    const trace = emptyTrace();
    const usage = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 60 };
    trace.calls.push(modelCall({ usage }));
    expect(recordOf(trace).calls[0].usage).toEqual({
      prompt_tokens: 40,
      completion_tokens: 10,
      cached_input_tokens: 60,
    });
  });

  it('knows three finish reasons; content_filter stands beside them [record/finish-reason]', () => {
    const trace = emptyTrace();
    trace.calls.push(modelCall(), modelCall({ finish: 'content_filter', rawFinish: 'safety' }));
    const record = recordOf(trace);
    expect(record.calls.map((call: Json) => call.finish_reason)).toEqual(['stop', undefined]);
    expect(record.info.vf.calls.finish).toEqual([null, 'content_filter']);
  });

  it('keeps tool arguments as the model wrote them [record/arguments-raw]', () => {
    const toolCalls = [{ id: 'c', name: 'f', arguments: '{ "a":1.0,\n"a":2}' }];
    const trace = withNode({ message: assistant(null, { toolCalls }), sampled: true });
    expect(recordOf(trace).nodes[0].message.tool_calls).toEqual(toolCalls);
  });

  it('counts tokens as the peer does: new input once, shared replies in each branch [record/token-counts]', () => {
    const trace = emptyTrace();
    const start = trace.graph.start([]);
    const turn = (prompt: string[], from = start) =>
      trace.graph.commit(
        from,
        asSaid(prompt.map(user)),
        { message: assistant('r') },
        { timestamp: 1 },
      );
    turn(['a']);
    turn(['b'], { node: 1, toolList: 0 });
    turn(['c'], { node: 1, toolList: 0 });
    const spent = [
      [1, 10, 5],
      [3, 18, 4],
      [5, 12, 1],
    ] as const;
    for (const [node, inputTokens, outputTokens] of spent) {
      trace.calls.push(modelCall({ node, usage: { inputTokens, outputTokens } }));
    }
    trace.calls.push(modelCall({ usage: { inputTokens: 7, outputTokens: 2 } }));
    expect(recordOf(trace)).toMatchObject({
      num_input_tokens: 10 + 3 + 0,
      num_output_tokens: 5 + 4 + 5 + 1,
      num_total_tokens: 13 + 5 + 4 + 1 + 2,
    });
  });

  it('lists all tools once, each as last declared [record/tools]', () => {
    const trace = emptyTrace();
    const [f, g] = [{ name: 'f' }, { name: 'g' }];
    for (const tools of [[f], [{ ...f, description: 'new' }, g]]) {
      trace.graph.commit(trace.graph.start(tools), asSaid([user('q')]), null, { timestamp: 1 });
    }
    expect(recordOf(trace).tools).toEqual([{ name: 'f', description: 'new' }, g]);
  });

  it('names the nearest runtime that the peer knows, and the true one in info [record/info-vf]', () => {
    const trace = fullEpisode().traces[0];
    const record = trace && recordOf(trace);
    expect(record.agent.config.runtime).toEqual({ type: 'subprocess' });
    expect(record.info.vf.runtime).toEqual({ id: 'lambda', config: { region: 'eu' } });
  });

  it("keeps an author's own info.vf [record/info-vf]", () => {
    const record = encodeEpisode(fullEpisode()) as Json;
    expect(record.traces[0].info.note).toBe('free');
    expect(record.traces[0].info.vf.own_vf).toBe('an author may call it so');
  });
});

describe('what JSON cannot hold', () => {
  it('is replaced and counted, never an error [record/unicode]', () => {
    const trace = withNode({ message: user('a\ud83d') });
    const cycle: Json = { deep: [] };
    cycle.deep.push(cycle);
    Object.assign(trace.info, { cycle, big: 12n, nan: Number.NaN, '\udc00': 1 });
    const record = recordOf(trace);
    expect(record.nodes[0].message.content).toBe('a\ufffd');
    expect(record.info).toEqual({
      cycle: { deep: ['[circular]'] },
      big: '12',
      nan: null,
      '\ufffd': 1,
      vf: { mended: 5 },
    });
  });

  it('is cut where it lies too deep for Python to read [record/unicode]', () => {
    const trace = emptyTrace();
    let deep: unknown = 1;
    for (let depth = 0; depth < 5000; depth++) deep = [deep];
    trace.info['deep'] = deep;
    expect(JSON.stringify(recordOf(trace).info)).toContain('[too deep]');
  });
});

describe('reading', () => {
  /** Reads the full episode after a change of its record. */
  const readChanged = (change: (record: Json) => void) => () => {
    const record = JSON.parse(episodeToLine(fullEpisode()));
    change(record);
    return decodeEpisode(record);
  };

  it.each<[string, (record: Json) => void, string]>([
    ['no id', (r) => delete r.id, 'id: is missing'],
    ['a wrong type', (r) => (r.traces[0].ok = 1), 'traces[0].ok: must be true or false'],
    ['no task', (r) => delete r.traces[0].task, 'traces[0].task: is missing'],
    ['a role', (r) => (r.traces[0].nodes[0].message.role = 'developer'), 'nodes[0].message.role'],
    [
      'a content part',
      (r) => (r.traces[0].nodes[0].message.content = [{ type: 'audio' }]),
      'nodes[0].message.content[0].type: must be text or image_url, not "audio"',
    ],
    [
      'a number',
      (r) => (r.traces[0].calls[1].usage.prompt_tokens = 'x'),
      'calls[1].usage.prompt_tokens',
    ],
    [
      'a column',
      (r) => r.traces[0].info.vf.calls.attempt.pop(),
      'info.vf.calls.attempt: has 4 entries',
    ],
    [
      'an origin that is not there',
      (r) => {
        r.traces[0].info.vf.calls.origin = [null, 1, null, null, null];
        r.traces[0].info.vf.token_origins = [{ engine: 'vllm' }];
      },
      'info.vf.calls.origin[1]: 1 is none of 1 origins',
    ],
    [
      'weights that go back',
      (r) => {
        const spans = [
          ['v1', 4],
          ['v2', 3],
        ];
        r.traces[0].info.vf.calls.weights = [spans, null, null, null, null];
      },
      'info.vf.calls.weights[0]: must be a list of versions and where they end',
    ],
    [
      'a reward',
      (r) => (r.traces[0].rewards.tests = 1),
      'traces[0].rewards.tests: must be an object',
    ],
    ['a record', (r) => (r.traces = [7]), 'traces[0]: must be an object'],
  ])('names the path of %s [record/errors-name-path]', (_name, change, message) => {
    expect(readChanged(change)).toThrow(message);
  });

  it('refuses parents that do not precede and links to nowhere [record/parents-precede] [graph/parents-precede]', () => {
    expect(readChanged((r) => (r.traces[0].nodes[1].parent = 1))).toThrow(
      'nodes[1].parent: 1 does not precede',
    );
    expect(readChanged((r) => (r.traces[0].nodes[1].parent = -1))).toThrow(
      'nodes[1].parent: must be an index',
    );
    expect(readChanged((r) => (r.traces[0].nodes[6].semantic_parents[0].node = 99))).toThrow(
      'semantic_parents[0].node',
    );
    expect(readChanged((r) => (r.traces[0].nodes[6].semantic_parents[0].type = 'no!'))).toThrow(
      'semantic_parents[0].type',
    );
  });

  it('refuses calls that name no sampled node [record/call-node]', () => {
    expect(readChanged((r) => (r.traces[0].calls[1].node = 0))).toThrow(
      'calls[1].node: 0 is not a sampled node',
    );
    expect(readChanged((r) => (r.traces[0].calls[1].node = 99))).toThrow(
      'calls[1].node: 99 is not a sampled node',
    );
  });

  it('refuses a sampled message that is no reply [record/sampled]', () => {
    expect(readChanged((r) => (r.traces[0].nodes[0].sampled = true))).toThrow('nodes[0].sampled');
  });

  it('refuses a record of a later revision by name [record/newer-version]', () => {
    expect(readChanged((r) => (r.traces[0].version = 2))).toThrow(
      'traces[0].version: 2, this vf reads up to 1',
    );
  });

  it('keeps unknown fields at every level [record/unknown-kept]', () => {
    const record = JSON.parse(episodeToLine(fullEpisode()));
    const trace = record.traces[0];
    const levels = [
      record,
      record.env,
      record.task,
      record.run,
      record.errors[0],
      trace,
      trace.task,
      trace.agent,
      trace.agent.config,
      trace.agent.config.harness,
      trace.agent.config.runtime,
      trace.agent.config.sampling,
      trace.tools[0],
      trace.nodes[0],
      trace.nodes[0].tools[1],
      trace.nodes[2].message,
      trace.nodes[2].message.tool_calls[1],
      trace.nodes[4].message.content[1].image_url,
      trace.nodes[6].semantic_parents[0],
      trace.calls[1],
      trace.calls[1].usage,
      trace.calls[1].time,
      trace.calls[0].error,
      trace.rewards.tests,
      trace.extra_usage[0],
      trace.errors[1],
      trace.timing,
      trace.timing.agent.model,
      trace.info.vf,
      trace.info.vf.calls,
      trace.info.vf.forms[0],
      trace.info.vf.nodes[1].said,
    ];
    for (const level of levels) level.x_later = { by: ['a', 'newer', 'vf'] };
    expect(encodeEpisode(decodeEpisode(record))).toEqual(record);
  });
});

/** `turns` turns of about `characters` in all, as a chat agent leads them. */
function talk(turns: number, characters: number): Trace {
  const trace = emptyTrace();
  const { graph } = trace;
  const start = graph.start([{ name: 'shell', parameters: { type: 'object' } }]);
  let at = start;
  const half = 'lorem ipsum '.repeat(Math.ceil(characters / 24));
  for (let turn = 0; turn < turns; turn++) {
    const now = 1_796_000_000.123 + turn;
    const said = turn === 0 ? [system('S'), user(half)] : [user(`${turn} ${half}`)];
    const message = assistant(`${turn} ${half}`);
    const { reply } = graph.commit(at, asSaid(said), { message }, { timestamp: now });
    at = { node: reply, toolList: start.toolList };
    trace.calls.push(
      modelCall({
        node: reply,
        endpoint: '/v1/chat/completions',
        requestedModel: 'gpt-x',
        settings: { model: 'gpt-x', stream: true, temperature: 1, extra: { store: false } },
        model: 'gpt-x-2026-01-01',
        usage: { inputTokens: 1000 * turn, outputTokens: 512, cachedInputTokens: 0 },
        responseId: `chatcmpl-${'0'.repeat(20)}${turn}`,
        start: now,
        firstByte: now + 0.25,
        end: now + 0.5,
      }),
    );
  }
  return trace;
}

describe('size', () => {
  const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

  it('of 200 turns of 1k tokens is at most 1.1 times their messages [record/small]', () => {
    const trace = talk(200, 4000);
    const messages = trace.graph.nodes.reduce((sum, node) => sum + bytesOf(node.message), 0);
    const ratio = bytesOf(encodeEpisode(episodeOf(trace))) / messages;
    expect(ratio).toBeLessThan(1.1);
  });

  it('grows with the turns [record/linear-size]', () => {
    const lengths = [50, 100, 200].map((turns) =>
      bytesOf(encodeEpisode(episodeOf(talk(turns, 400)))),
    );
    const [first = 0, second = 0, third = 0] = lengths;
    expect((third - second) / (second - first)).toBeCloseTo(2, 1);
  });

  it('does not depend on how often a restored graph was written [record/round-trip]', () => {
    const record = encodeEpisode(episodeOf(talk(20, 100)));
    expect(bytesOf(encodeEpisode(decodeEpisode(record)))).toBe(bytesOf(record));
  });
});
