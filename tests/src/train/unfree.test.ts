import type { Dialect } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { engineIds, makeEngine } from '@vf/train';
import { describe, expect, test } from 'vitest';
import { callOf, exchangeOf } from './exchange.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';

const { signal } = new AbortController();
type Top = Readonly<Record<string, unknown>>;

/** What an engine makes of the settings of a request; nobody listens at its address. */
async function sampled(
  id: (typeof engineIds)[number],
  dialect: Dialect,
  top: Top,
): Promise<unknown> {
  const engine = makeEngine(id, { baseUrl: 'http://127.0.0.1:9/v1' });
  try {
    const settings = dialect.request.settings({ model: 'policy', ...top }, '/');
    const rest = { model: 'policy', recordedLength: 0, stopIds: [2], room: 8, session: 'one' };
    return await engine.sample({ ...rest, settings, promptIds: Int32Array.of(1) }, signal);
  } catch (error) {
    return error;
  } finally {
    await engine.close();
  }
}

const form = { type: 'object' };
const forced: readonly (readonly [Dialect, Top])[] = [
  ...[
    { tool_choice: 'required' },
    { tool_choice: { type: 'function', name: 'f' } },
    { tool_choice: { type: 'function', name: 'f', strict: true } },
    { tool_choice: { type: 'custom', name: 'f' } },
    { tool_choice: { type: 'allowed_tools', mode: 'required', tools: [] } },
    { tool_choice: { type: 'web_search' } },
    { tool_choice: 'some day' },
    { text: { format: { type: 'json_object' } } },
    { text: { format: { type: 'json_schema', name: 'a', schema: form } } },
    { text: { format: { type: 'grammar', definition: 'a' }, verbosity: 'low' } },
  ].map((top): readonly [Dialect, Top] => [responses, top]),
  ...[
    { tool_choice: { type: 'any' } },
    { tool_choice: { type: 'tool', name: 'f' } },
    { tool_choice: { type: 'some day' } },
    { output_config: { format: { type: 'json_schema', schema: form } } },
    { stop_sequences: [''] },
    { max_tokens: 0 },
  ].map((top): readonly [Dialect, Top] => [messages, top]),
  ...[
    { tool_choice: { type: 'function', function: { name: 'f' } } },
    { tool_choice: { type: 'custom', custom: { name: 'f' } } },
    { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } } },
    { function_call: { name: 'f' } },
    { response_format: { type: 'structural_tag', structures: [] } },
    { guided_json: form },
    { guided_choice: ['a'] },
    { structured_outputs: { choice: ['a'] } },
    { grammar: 'root ::= "a"' },
    { json_schema: form },
    { regex: 'a+' },
    { ebnf: 'a' },
    { allowed_token_ids: [1] },
    { bad_words: ['a'] },
    { logit_bias: { 5: 1 } },
    { n: 2 },
    { continue_final_message: true },
    { chat_template: '{{ a }}' },
    { documents: [{ text: 'a' }] },
    { stop: ['a', ''] },
    { max_tokens: 0 },
  ].map((top): readonly [Dialect, Top] => [chatCompletions, top]),
];

describe.each(engineIds)('%s [train/unfree]', (id) => {
  test.each(forced.map(([dialect, top]) => ({ dialect, name: dialect.id, top })))(
    'refuses by name what leaves nothing to sample freely: $name $top',
    async ({ dialect, top }) => {
      expect(await sampled(id, dialect, top)).toMatchObject({
        error: {
          status: 400,
          code: 'invalid',
          message: expect.stringMatching(/leave it|at least|cannot take/) as string,
        },
      });
    },
  );

  test.each([
    {
      dialect: responses,
      top: { tool_choice: 'auto', text: { format: { type: 'text' }, verbosity: 'low' } },
    },
    { dialect: responses, top: { tool_choice: 'none', max_output_tokens: 1 } },
    { dialect: messages, top: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } } },
    {
      dialect: chatCompletions,
      top: {
        response_format: { type: 'text' },
        function_call: 'auto',
        tool_choice: null,
        bad_words: [],
      },
    },
    { dialect: chatCompletions, top: { function_call: 'none' } },
    { dialect: chatCompletions, top: { n: 1, continue_final_message: false, prediction: null } },
  ])('asks for what is free: $top', async ({ dialect, top }) => {
    expect(await sampled(id, dialect, top)).toMatchObject({ code: 'unreachable' });
  });
});

describe('a past that stands elsewhere [train/past]', () => {
  const hi = { role: 'user', content: 'Hi' } as const;

  async function refused(more: {
    readonly top?: Top;
    readonly unknownReply?: string;
    readonly item?: object;
  }) {
    const engine = scriptedEngine('Well.<|im_end|>');
    const client = clientOf(engine);
    const said = more.item === undefined ? [] : responses.request.messages([more.item]);
    const settings = responses.request.settings({ model: 'policy', ...more.top }, '/');
    const call = { ...callOf([...said, hi]), settings };
    const { unknownReply } = more;
    const exchange = exchangeOf(responses, call);
    const { error = null } = await client.send(
      unknownReply === undefined ? exchange : { ...exchange, unknownReply },
      signal,
    );
    await client.close();
    expect(engine.asked).toHaveLength(error === null ? 1 : 0);
    return error;
  }

  test.each([
    [{ unknownReply: 'resp_1' }, "'resp_1' not found"],
    [{ top: { conversation: 'conv_1' } }, 'conversation'],
    [{ top: { prompt: { id: 'pmpt_1' } } }, 'prompt'],
    [{ item: { type: 'item_reference', id: 'msg_1' } }, 'item_reference'],
    [{ item: { id: 'msg_1' } }, 'item_reference'],
    [{ item: { type: 'compaction', encrypted_content: 'a' } }, 'compaction'],
  ])('is refused by name: %j', async (more, words) => {
    expect(await refused(more)).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(words) as string,
    });
  });

  test.each([
    { top: { conversation: null, previous_response_id: 'resp_1', store: true } },
    { item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'a' } },
    { item: { role: 'assistant', content: 'Well.' } },
  ])('is sampled where it stands in the request: %j', async (more) => {
    expect(await refused(more)).toBeNull();
  });
});
