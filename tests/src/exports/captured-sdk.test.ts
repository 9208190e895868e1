import Anthropic from '@anthropic-ai/sdk';
import { capture, formOf } from '@vf/core';
import type { CaptureAbout, Trace } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { callTool, fail, say, startScriptedModel, think, usage } from '@vf/testkit';
import type { Reply, ScriptedModel } from '@vf/testkit';
import OpenAI, { RateLimitError } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';

const spent = usage({ inputTokens: 20, outputTokens: 5 });

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({
    script: ({ messages: said }): Reply => {
      const last = said.at(-1);
      if (last?.role === 'tool') return [say('Four.'), spent];
      if (last?.content === 'fail') return fail(429);
      return [think('Sum up.'), callTool('add', { a: 2, b: 2 }, { id: 'call_1' }), spent];
    },
  });
});
afterAll(() => model.close());

const about: CaptureAbout = {
  task: { type: 'sums', key: 'one' },
  agent: { model: 'asked-for' },
};
const parameters = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
} as const;
const openai = () => new OpenAI({ baseURL: `${model.url}/v1`, apiKey: 'k', maxRetries: 0 });

/** Plays two turns with the SDK's own messages. */
const loops: Readonly<Record<string, () => Promise<Trace>>> = {
  async 'chat completions of OpenAI'() {
    const client = openai();
    const { model: create, trace } = capture(
      (body: OpenAI.ChatCompletionCreateParamsNonStreaming) => client.chat.completions.create(body),
      about,
      formOf(chatCompletions),
    );
    const said: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: 'Add.' },
      { role: 'user', content: '2 + 2?' },
    ];
    const tools: OpenAI.ChatCompletionTool[] = [
      { type: 'function', function: { name: 'add', parameters } },
    ];
    const first = await create({ model: 'scripted', messages: said, tools, temperature: 0 });
    const reply = first.choices[0]?.message ?? { role: 'assistant', content: '' };
    said.push(reply, { role: 'tool', tool_call_id: 'call_1', content: '4' });
    await create({ model: 'scripted', messages: said, tools, temperature: 0 });
    return trace;
  },
  async 'responses of OpenAI'() {
    const client = openai();
    const { model: create, trace } = capture(
      (body: OpenAI.Responses.ResponseCreateParamsNonStreaming) => client.responses.create(body),
      about,
      formOf(responses),
    );
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: '2 + 2?' }];
    const rest = {
      model: 'scripted',
      instructions: 'Add.',
      temperature: 0,
      tools: [{ type: 'function' as const, name: 'add', parameters, strict: false }],
    };
    const first = await create({ ...rest, input });
    // As its documentation does; its own types tell output and input apart by roles that never come.
    const output = first.output as OpenAI.Responses.ResponseInputItem[];
    input.push(...output, { type: 'function_call_output', call_id: 'call_1', output: '4' });
    await create({ ...rest, input });
    return trace;
  },
  async 'messages of Anthropic'() {
    const client = new Anthropic({ baseURL: model.url, apiKey: 'k', maxRetries: 0 });
    const { model: create, trace } = capture(
      (body: Anthropic.MessageCreateParamsNonStreaming) => client.messages.create(body),
      about,
      formOf(messages),
    );
    const said: Anthropic.MessageParam[] = [{ role: 'user', content: '2 + 2?' }];
    const rest = {
      model: 'scripted',
      system: 'Add.',
      max_tokens: 99,
      temperature: 0,
      tools: [{ name: 'add', input_schema: parameters }],
    };
    const first = await create({ ...rest, messages: said });
    const result = { type: 'tool_result', tool_use_id: 'call_1', content: '4' } as const;
    said.push({ role: 'assistant', content: first.content }, { role: 'user', content: [result] });
    await create({ ...rest, messages: said });
    return trace;
  },
};

test.each(Object.entries(loops))(
  '%s is one branch with all that was said [capture/form]',
  async (_name, play) => {
    const trace = await play();
    const [branch, ...others] = trace.branches;
    expect(others).toEqual([]);
    expect(branch?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(branch?.tools).toMatchObject([{ name: 'add' }]);
    expect(trace.lastReply).toBe('Four.');
    expect(branch?.messages[2]).toMatchObject({ toolCalls: [{ name: 'add', id: 'call_1' }] });
    expect(trace.calls).toMatchObject([
      {
        requestedModel: 'scripted',
        finish: 'tool_calls',
        settings: { temperature: 0 },
        error: null,
      },
      { finish: 'stop', usage: { inputTokens: 20, outputTokens: 5 }, model: 'scripted' },
    ]);
  },
);

test('what an SDK throws is the error of its call [capture/errors]', async () => {
  const client = openai();
  const { model: create, trace } = capture(
    (body: OpenAI.ChatCompletionCreateParamsNonStreaming) => client.chat.completions.create(body),
    about,
    formOf(chatCompletions),
  );
  const body = { model: 'scripted', messages: [{ role: 'user' as const, content: 'fail' }] };
  await expect(create(body)).rejects.toThrow(RateLimitError);
  expect(trace.calls).toMatchObject([{ node: null, error: { status: 429, code: 'rate_limit' } }]);
});

test('a streamed call, and a result that is no reply, are refused by name [capture/form]', async () => {
  const form = formOf(chatCompletions);
  const { model: create, trace } = capture(async (_body: object) => ({}), about, form);
  await expect(create({ messages: [], stream: true })).rejects.toMatchObject({
    code: 'usage/invalid',
  });
  await expect(create({ messages: [] })).rejects.toMatchObject({ code: 'provider/malformed' });
  expect(trace.calls).toMatchObject([{ node: null, error: { code: 'malformed' } }]);
});
