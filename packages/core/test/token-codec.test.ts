import { describe, expect, it } from 'vitest';
import type { TokenOrigin, TokenSpace } from '../src/contract/turn-tokens.ts';
import { decodeTrace, encodeTrace, encodeTurns } from '../src/trace/index.ts';
import type { NodeTokens, Trace } from '../src/trace/index.ts';
import { assistant, user } from './messages.ts';
import { emptyTrace, modelCall } from './trace.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- records are taken apart and broken on purpose
type Json = any;

function replied(fields: Partial<NodeTokens> = {}, space: TokenSpace | null = null): Trace {
  const trace = emptyTrace();
  trace.graph.space = space;
  const tokens = {
    ids: Int32Array.of(1, 2, 3),
    mask: Uint8Array.of(0, 1, 1),
    isContent: null,
    logprobs: Float32Array.of(-0.123_45, -1),
  };
  const message = user('q');
  trace.graph.restore({ parent: null, message, sampled: false, timestamp: 1 });
  trace.graph.restore({
    parent: 0,
    message: assistant('r'),
    sampled: true,
    timestamp: 1,
    tokens: { ...tokens, ...fields },
  });
  return trace;
}

const written = (trace: Trace): Json => JSON.parse(JSON.stringify(encodeTrace(trace)));

describe('tokens', () => {
  it('are written as plain lists, floats at four decimals [record/tokens]', () => {
    expect(written(replied({ isContent: Uint8Array.of(0, 1, 1) })).nodes[1]).toMatchObject({
      token_ids: [1, 2, 3],
      mask: [false, true, true],
      is_content: [false, true, true],
      logprobs: [-0.1235, -1],
    });
  });

  it('that are unknown leave no lists [record/tokens]', () => {
    const [asked] = written(replied()).nodes;
    expect(Object.keys(asked)).toEqual(['message', 'timestamp']);
    const record = written(replied());
    Object.assign(record.nodes[0], { token_ids: [], mask: [], is_content: [], logprobs: [] });
    expect(decodeTrace(record).graph.nodes[0]?.tokens).toBe(undefined);
  });

  const wrong: [string, Partial<NodeTokens>, string][] = [
    ['a short mask', { mask: Uint8Array.of(0, 1) }, 'nodes[1].mask has 2 entries for 3 tokens'],
    ['a gap in the mask', { mask: Uint8Array.of(1, 0, 1) }, 'an unsampled token after a sampled'],
    ['too few logprobs', { logprobs: Float32Array.of(-1) }, 'logprobs has 1 entries for 2 sampled'],
    ['a positive logprob', { logprobs: Float32Array.of(-1, 0.5) }, 'finite and at most 0'],
    ['a logprob that is no number', { logprobs: Float32Array.of(-1, Number.NaN) }, 'finite'],
    ['a short is_content', { isContent: Uint8Array.of(1) }, 'is_content has 1 entries'],
    ['sampled scaffold', { isContent: Uint8Array.of(0, 0, 1) }, 'leaves out a sampled token'],
    ['too few advantages', { advantages: Float32Array.of(1) }, 'advantages has 1 entries'],
    ['short weights', { lossWeights: { a: Float32Array.of(1) } }, 'loss_weights.a has 1 entries'],
  ];

  it.each(wrong)('with %s are not written [record/token-rules]', (_name, fields, message) => {
    expect(() => encodeTrace(replied(fields))).toThrow(message);
  });

  it('that claim a sample on a prompt are not written [record/token-rules]', () => {
    const trace = replied();
    const { tokens } = trace.graph.nodes[1] ?? {};
    const asked = { parent: null, message: user('q'), sampled: false, timestamp: 1 };
    trace.graph.restore(tokens === undefined ? asked : { ...asked, tokens });
    expect(() => encodeTrace(trace)).toThrow('nodes[2].mask has sampled tokens on a node that');
  });

  it.each<[string, string, unknown]>([
    ['a short mask', 'mask', [false, true]],
    ['a gap in the mask', 'mask', [true, false, true]],
    ['a mask of 2', 'mask', [0, 1, 2]],
    ['a negative id', 'token_ids', [1, -2, 3]],
    ['half an id', 'token_ids', [1, 2.5, 3]],
    ['too few logprobs', 'logprobs', [-1]],
    ['a logprob as text', 'logprobs', ['NaN', -1]],
    ['a positive logprob', 'logprobs', [0.1, -1]],
  ])('with %s are not read [record/token-rules]', (_name, key, value) => {
    const record = written(replied());
    record.nodes[1][key] = value;
    expect(() => decodeTrace(record)).toThrow(`nodes[1].${key}`);
  });
});

describe('what made tokens [record/origins]', () => {
  const origin = {
    engine: 'vllm',
    renderer: 'qwen3',
    retention: 'tool_cycle',
    tokenizerSha256: 'ab'.repeat(32),
    templateSha256: 'cd'.repeat(32),
  };
  const sampled = (trace: Trace, ...origins: readonly (TokenOrigin | undefined)[]): Trace => {
    for (const each of origins)
      trace.calls.push(modelCall({ node: 1, ...(each === undefined ? {} : { origin: each }) }));
    return trace;
  };

  it('is in the record once, whatever the calls', () => {
    const record = written(sampled(replied(), origin, undefined, { ...origin }));
    expect(record.info.vf.token_origins).toEqual([
      {
        engine: 'vllm',
        renderer: 'qwen3',
        retention: 'tool_cycle',
        tokenizer_sha256: 'ab'.repeat(32),
        template_sha256: 'cd'.repeat(32),
      },
    ]);
    expect(record.info.vf.calls.origin).toEqual([0, null, 0]);
    const origins = decodeTrace(record).calls.map((each) => each.origin);
    expect(origins).toEqual([origin, undefined, origin]);
  });

  it('is in what further turns say', () => {
    const other = { ...origin, tokenizerSha256: null, renderer: null };
    const turns = encodeTurns(sampled(replied(), origin, other), { nodes: 0, calls: 1 });
    const read = decodeTrace(encodeTrace(emptyTrace()), [JSON.parse(JSON.stringify(turns))]);
    expect(read.calls.map((each) => each.origin)).toEqual([other]);
  });

  it('is not in a record of before', () => {
    const record = written(sampled(replied(), undefined));
    expect(JSON.stringify(record)).not.toContain('origin');
    expect(decodeTrace(record).calls[0]).not.toHaveProperty('origin');
  });
});

describe('what turning messages into tokens met [record/call-counts]', () => {
  it('is in the record, zeros too, call by call', () => {
    const trace = replied();
    const counts = { malformedCalls: 0, spelledControls: 2 };
    trace.calls.push(modelCall({ node: 1 }), modelCall({ node: 1, counts }));
    const record = written(trace);
    expect(record.info.vf.calls).toMatchObject({
      malformed_calls: [null, 0],
      spelled_controls: [null, 2],
    });
    expect(decodeTrace(record).calls.map((each) => each.counts)).toEqual([undefined, counts]);
  });

  it('must be a count', () => {
    const trace = replied();
    const counts = { malformedCalls: 1, spelledControls: 2 };
    trace.calls.push(modelCall({ node: 1, counts }));
    const record = written(trace);
    record.info.vf.calls.malformed_calls = [-1];
    expect(() => decodeTrace(record)).toThrow('malformed_calls[0]');
  });
});

describe('the space of tokens [graph/token-space]', () => {
  it('is in the record, and in that of further turns', () => {
    const space = { vocabulary: 4, context: 3 };
    const trace = replied({}, space);
    expect(written(trace).info.vf.token_space).toEqual(space);
    expect(decodeTrace(written(trace)).graph.space).toEqual(space);
    const [empty, turns] = [emptyTrace(), encodeTurns(trace, { nodes: 0, calls: 0 })];
    expect(decodeTrace(encodeTrace(empty), [turns]).graph.space).toEqual(space);
    const open = replied({}, { vocabulary: 4, context: null });
    expect(decodeTrace(written(open)).graph.space).toEqual(open.graph.space);
  });

  const narrow: [string, TokenSpace, string][] = [
    ['an id of no vocabulary', { vocabulary: 3, context: null }, '3 is not of a vocabulary of 3'],
    ['more tokens than the context holds', { vocabulary: 4, context: 2 }, 'make 3 tokens'],
  ];

  it.each(narrow)('lets %s neither be written nor read', (_, space, reason) => {
    expect(() => encodeTrace(replied({}, space))).toThrow(`nodes[1].token_ids ${reason}`);
    const record = written(replied());
    record.info = { vf: { token_space: space } };
    expect(() => decodeTrace(record)).toThrow(`nodes[1].token_ids: ${reason}`);
    const turns = encodeTurns(replied(), { nodes: 0, calls: 0 });
    const told = { ...turns, vf: { token_space: space } };
    expect(() => decodeTrace(encodeTrace(emptyTrace()), [told])).toThrow(reason);
  });
});

it('a text that is no Unicode is not read [graph/token-space]', () => {
  const record = written(replied());
  record.nodes[0].message.content = 'half \ud83d';
  expect(() => decodeTrace(record)).toThrow('nodes[0].message.content');
});

describe('tensors [record/tensors]', () => {
  const rows = Uint16Array.of(1, 2, 300, 4, 5, 6);
  const routedExperts = { rows, layers: 2, topK: 1 };
  const samplingMask = { ids: Int32Array.of(7, 8, 9), counts: Int32Array.of(1, 2) };

  it('are not in records of JSON', () => {
    const [, node] = written(replied({ routedExperts, samplingMask })).nodes;
    expect(Object.keys(node)).not.toContain('routed_experts');
    expect(Object.keys(node)).not.toContain('sampling_mask');
  });

  it('and other lists are left out where the wire form packs them', () => {
    const { nodes } = encodeTrace(replied(), { tokens: 'apart' }) as Json;
    expect(Object.keys(nodes[1])).toEqual(['parent', 'message', 'sampled', 'timestamp']);
  });

  it.each<[string, Partial<NodeTokens>, string]>([
    ['experts of other tokens', { routedExperts: { rows, layers: 1, topK: 1 } }, 'routed_experts'],
    ['half a row', { routedExperts: { rows, layers: 4, topK: 1 } }, 'routed_experts'],
    ['no layers', { routedExperts: { rows, layers: 0, topK: 0 } }, 'routed_experts'],
    [
      'a mask of other tokens',
      { samplingMask: { ...samplingMask, counts: Int32Array.of(3) } },
      'sampling_mask',
    ],
    [
      'a mask that counts below 0',
      { samplingMask: { ...samplingMask, counts: Int32Array.of(-1, 4) } },
      'sampling_mask',
    ],
  ])('with %s are not written', (_, fields, key) => {
    expect(() => encodeTrace(replied(fields))).toThrow(`nodes[1].${key}`);
  });

  const tensor = (dtype: string, shape: readonly number[], data: Uint8Array) => ({
    __nd__: true,
    dtype,
    shape,
    data,
  });

  it('are read from arrays of bytes, wherever these begin', () => {
    const record = written(replied());
    const bytes = Uint8Array.of(99, 1, 0, 2, 0, 44, 1, 4, 0, 5, 0, 6, 0).subarray(1);
    record.nodes[1].routed_experts = tensor('uint16', [3, 2, 1], bytes);
    const ids = new Uint8Array(Int32Array.of(7, 8, 9).buffer);
    const counts = new Uint8Array(Int32Array.of(1, 2).buffer);
    record.nodes[1].sampling_mask = {
      ids: tensor('int32', [3], ids),
      counts: tensor('int32', [2], counts),
    };
    const { graph } = decodeTrace(record);
    expect(graph.nodes[1]?.tokens).toMatchObject({ routedExperts, samplingMask });
  });

  it.each([
    ['of another type', tensor('float32', [3, 2, 1], new Uint8Array(24)), 'dtype'],
    ['of too few bytes', tensor('uint8', [3, 2, 1], new Uint8Array(5)), 'data'],
    ['of two sides', tensor('uint8', [3, 2], new Uint8Array(6)), 'tokens, layers and choices'],
    ['of other tokens', tensor('uint8', [2, 2, 1], new Uint8Array(4)), 'are not of 3 tokens'],
  ])('%s are refused', (_, experts, reason) => {
    const record = written(replied());
    record.nodes[1].routed_experts = experts;
    expect(() => decodeTrace(record)).toThrow(reason);
  });

  it('that another writer spelt as text stay as they are', () => {
    const record = written(replied());
    record.nodes[1].routed_experts = {
      __nd__: true,
      dtype: 'uint8',
      shape: [3, 1, 1],
      data: 'abc',
    };
    expect(written(decodeTrace(record)).nodes[1].routed_experts).toEqual(
      record.nodes[1].routed_experts,
    );
  });
});
