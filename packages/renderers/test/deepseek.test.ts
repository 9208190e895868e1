import { describe, expect, it } from 'vitest';
import { deepseekV31 } from '../src/families/deepseek/deepseek-v3-1.ts';
import { deepseekR1, deepseekV3 } from '../src/families/deepseek/deepseek-v3.ts';
import { makeRenderer } from '../src/make-renderer.ts';
import { deepseekTokenizer } from './tokenizers.ts';

const { ours, encode } = deepseekTokenizer();
const section = (text: string): string => `<｜tool▁calls▁begin｜>${text}<｜tool▁calls▁end｜>`;
const call = (text: string): string => `<｜tool▁call▁begin｜>${text}<｜tool▁call▁end｜>`;

describe('a call of DeepSeek V3', () => {
  const renderer = makeRenderer(deepseekV3, ours);

  it.each([
    ['ok', 'function<｜tool▁sep｜>f\n```json\n{"a": "```"}\n```'],
    ['invalid_json', 'function<｜tool▁sep｜>f\n```json\n{"a"\n```'],
    ['missing_name', 'function<｜tool▁sep｜>\n```json\n{}\n```'],
    ['malformed_structure', 'function<｜tool▁sep｜>f {}'],
    ['malformed_structure', 'f {}'],
    ['unknown_tool', 'function<｜tool▁sep｜>g\n```json\n{}\n```'],
  ])('is %s in %j', (status, text) => {
    const { calls } = renderer.parse(encode(section(call(text))), [{ name: 'f' }]);
    expect(calls.map((one) => one.status)).toEqual([status]);
  });
});

describe.each([
  ['R1', makeRenderer(deepseekR1, ours), 'function<｜tool▁sep｜>f\n```json\n{}\n```'],
  ['V3.1', makeRenderer(deepseekV31, ours, { thinking: true }), 'f<｜tool▁sep｜>{}'],
])('DeepSeek %s that reasons', (_, renderer, text) => {
  it('parts reasoning that the prompt has opened from calls', () => {
    const parsed = renderer.parse(encode(`why</think>so${section(call(text))}`));
    expect([parsed.reasoning, parsed.content, parsed.calls.length]).toEqual(['why', 'so', 1]);
  });

  it('reads a reply to tool results, whose prompt opens none', () => {
    const parsed = renderer.parse(encode(`so${section(call(text))}`));
    expect([parsed.reasoning, parsed.content, parsed.calls.length]).toEqual([null, 'so', 1]);
  });
});
