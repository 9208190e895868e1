import type { TokenOrigin } from '@vf/core';
import { decodeEpisode, encodeEpisode } from '@vf/core/trace';
import { makeEpisode, makeTokenTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import { provenanceOf } from '../src/index.ts';
import type { Provenance } from '../src/index.ts';

const here: TokenOrigin = {
  engine: 'vllm',
  renderer: 'qwen3',
  retention: 'tool_cycle',
  tokenizerSha256: 'ab'.repeat(32),
  templateSha256: 'cd'.repeat(32),
};
const spelt = {
  engine: 'vllm',
  renderer: 'qwen3',
  retention: 'tool_cycle',
  tokenizer_sha256: 'ab'.repeat(32),
  template_sha256: 'cd'.repeat(32),
};

/** Of a trace whose two calls have these origins, after a round trip through its record. */
function provenanceWith(...origins: readonly (TokenOrigin | null)[]): Provenance {
  const trace = makeTokenTrace({
    nodes: [
      [null, 'u', 0, [1, 2, 3], '000'],
      [0, 'a', 1, [4, 5, 6], '011'],
      [1, 'u', 0, [7], '0'],
      [2, 'a', 1, [8], '1'],
    ],
  });
  for (const [at, origin] of origins.entries()) {
    const call = trace.calls[at];
    if (call !== undefined && origin !== null) trace.calls[at] = { ...call, origin };
  }
  const episode = { ...makeEpisode(), task: trace.task, traces: [trace] };
  const read = decodeEpisode(JSON.parse(JSON.stringify(encodeEpisode(episode))));
  const [first = trace] = read.traces;
  return provenanceOf(read, first);
}

test('a sample says what made its ids, once for all its calls [record/origins]', () => {
  expect(provenanceWith(here, { ...here }).origins).toEqual([spelt]);
});

test('samples of another tokenizer, template or retention are told apart [record/origins]', () => {
  const others = { tokenizerSha256: 'ef'.repeat(32), templateSha256: null, retention: 'all' };
  for (const [key, value] of Object.entries(others)) {
    const other = { ...here, [key]: value };
    expect(provenanceWith(other, other).origins).not.toEqual([spelt]);
    expect(provenanceWith(here, other).origins).toHaveLength(2);
  }
});

test('what nobody told is not made up [record/origins]', () => {
  expect(provenanceWith(null, null)).not.toHaveProperty('origins');
  const engines = { ...here, renderer: null, tokenizerSha256: null, templateSha256: null };
  expect(provenanceWith(engines, null).origins).toEqual([
    { ...spelt, renderer: null, tokenizer_sha256: null, template_sha256: null },
  ]);
});

test('a sample says what it was sampled with, what the agent itself asked for included [record/origins]', () => {
  const trace = makeTokenTrace({
    nodes: [
      [null, 'u', 0, [1, 2, 3], '000'],
      [0, 'a', 1, [4, 5, 6], '011'],
      [1, 'u', 0, [7], '0'],
      [2, 'a', 1, [8], '1'],
    ],
  });
  const asked = [
    { temperature: 0.6, topP: 0.9, maxOutputTokens: 50, extra: { min_p: 0.1, user: 'x' } },
    { temperature: 0.6, topP: 0.8, maxOutputTokens: 60, extra: { min_p: 0.1 } },
  ];
  const ask = (given: readonly object[]) => {
    for (const [at, call] of trace.calls.entries())
      trace.calls[at] = { ...call, settings: { model: 'm', stream: false, ...given[at] } };
    return provenanceOf({ ...makeEpisode(), task: trace.task, traces: [trace] }, trace).sampling;
  };
  expect(ask(asked)).toMatchObject({ temperature: 0.6, extra: { min_p: 0.1 } });
  expect(ask(asked)).not.toHaveProperty('top_p');
  expect(ask(asked)).not.toHaveProperty('max_output_tokens');
  expect(ask([{ temperature: 0.6 }, { temperature: 1 }])).not.toHaveProperty('temperature');
});
