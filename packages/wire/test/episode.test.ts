import { encode } from '@msgpack/msgpack';
import type { Episode, NodeTokens, TraceNode } from '@vf/core';
import { makeEpisode, makeTrace } from '@vf/testkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pack, packEpisode, unpackEpisode } from '../src/index.ts';

const floats = (length: number, max = 0): fc.Arbitrary<Float32Array> =>
  fc
    .array(fc.float({ min: -100, max, noNaN: true }), { minLength: length, maxLength: length })
    .map((values) => Float32Array.from(values));
const ids = (length: number): fc.Arbitrary<Int32Array> =>
  fc
    .array(fc.nat({ max: 200_000 }), { minLength: length, maxLength: length })
    .map((values) => Int32Array.from(values));

/** Up to `most` of each kind, and all that may stand beside them. */
function tokens(isSampled: boolean, most: number): fc.Arbitrary<NodeTokens> {
  const lengths = fc.record({
    prompt: fc.integer({ min: 1, max: most }),
    sampled: isSampled ? fc.nat({ max: most }) : fc.constant(0),
    layers: fc.integer({ min: 1, max: 3 }),
    topK: fc.integer({ min: 1, max: 2 }),
    isWide: fc.boolean(),
  });
  return lengths.chain(({ prompt, sampled, layers, topK, isWide }) => {
    const all = prompt + sampled;
    const mask = Uint8Array.from({ length: all }, (_, at) => Number(at >= prompt));
    const width = all * layers * topK;
    const experts = fc
      .array(fc.nat({ max: isWide ? 999 : 255 }), { minLength: width, maxLength: width })
      .map((rows) => (isWide ? Uint16Array.from(rows) : Uint8Array.from(rows)));
    const counts = fc.array(fc.nat({ max: 3 }), { minLength: sampled, maxLength: sampled });
    const samplingMask = counts.chain((list) =>
      ids(list.reduce((sum, count) => sum + count, 0)).map((left) => ({
        ids: left,
        counts: Int32Array.from(list),
      })),
    );
    return fc.record(
      {
        ids: ids(all),
        mask: fc.constant(mask),
        isContent: fc.option(fc.constant(mask)),
        logprobs: floats(sampled),
        advantages: floats(sampled, 100),
        lossWeights: fc.dictionary(fc.constantFrom('echo', 'sft'), floats(all, 1), { minKeys: 1 }),
        routedExperts: experts.map((rows) => ({ rows, layers, topK })),
        samplingMask,
      },
      { requiredKeys: ['ids', 'mask', 'isContent', 'logprobs'] },
    );
  });
}

function episodeOf(given: readonly NodeTokens[]): Episode {
  const trace = makeTrace({ turns: [] });
  given.forEach((owned, at) => {
    const node: TraceNode = {
      parent: at === 0 ? null : at - 1,
      message: at % 2 === 0 ? { role: 'user', content: 'é' } : { role: 'assistant', content: '😀' },
      sampled: at % 2 === 1,
      timestamp: 1,
      tokens: owned,
    };
    trace.graph.restore(node);
  });
  return { ...makeEpisode(), task: trace.task, traces: [trace] };
}

const tokensOfNodes = (episode: Episode) =>
  episode.traces.map(({ graph }) => graph.nodes.map((node) => node.tokens));

const conversation = fc
  .nat({ max: 3 })
  .chain((turns) =>
    fc.tuple(...Array.from({ length: 2 * turns }, (_, at) => tokens(at % 2 === 1, 5))),
  );

describe('the wire form [serve/wire-form]', () => {
  test('gives every token back with all that stands beside it, bit for bit', () => {
    fc.assert(
      fc.property(conversation, (given) => {
        const episode = episodeOf(given);
        const bytes = packEpisode(episode);
        const back = unpackEpisode(bytes);
        expect(tokensOfNodes(back)).toEqual(tokensOfNodes(episode));
        expect(packEpisode(back)).toEqual(bytes);
      }),
    );
  });

  test('has the rest of the record as files have it', () => {
    const episode = makeEpisode();
    expect(packEpisode(unpackEpisode(packEpisode(episode)))).toEqual(packEpisode(episode));
    expect(unpackEpisode(packEpisode(episode)).traces[0]?.calls).toEqual(episode.traces[0]?.calls);
  });

  test('a large one too', () => {
    const length = 100_000;
    const mask = new Uint8Array(length);
    const experts = { rows: new Uint8Array(8 * length).fill(7), layers: 4, topK: 2 };
    const large: NodeTokens = {
      ids: new Int32Array(length).map((_, at) => at),
      mask,
      isContent: mask,
      logprobs: new Float32Array(),
      routedExperts: experts,
    };
    const bytes = packEpisode(episodeOf([large]));
    expect(tokensOfNodes(unpackEpisode(bytes))).toEqual([[large]]);
  });

  test.each([
    ['no msgpack', Uint8Array.of(0xc1), 'no msgpack'],
    ['cut short', packEpisode(makeEpisode()).slice(0, 40), 'no msgpack'],
    ['no episode', pack([1]), 'no episode'],
    ['an episode without its id', encode({ task: { type: 't', data: {} } }), 'id'],
    ['nothing', new Uint8Array(), 'no msgpack'],
  ])('bytes that are %s are refused', (_, bytes, words) => {
    const read = (): unknown => unpackEpisode(bytes);
    expect(read).toThrow(expect.objectContaining({ code: 'store/damaged' }));
    expect(read).toThrow(words);
  });
});
