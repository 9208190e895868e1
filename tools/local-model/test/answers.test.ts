import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalModel } from '../src/index.ts';
import { startLocalModel } from '../src/index.ts';
import { timeout, withPython } from './with-python.ts';

let model: LocalModel;
beforeAll(
  withPython(async () => {
    model = await startLocalModel({ slots: 2, ctx: 2048 });
  }),
  timeout,
);
afterAll(withPython(() => model.stop()));

async function post(path: string, body: object) {
  const reply = await fetch(model.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: model.model, ...body }),
  });
  expect(reply.status).toBe(200);
  return JSON.parse(await reply.text());
}

const user = (content: string): object => ({ role: 'user', content });
const add = {
  type: 'function',
  function: {
    name: 'add',
    description: 'adds',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
};

test(
  'it answers in all three dialects',
  { timeout },
  withPython(async () => {
    const messages = [user('What is 1 + 1?')];
    const chat = await post('/v1/chat/completions', { messages, max_tokens: 8 });
    expect(chat.choices[0].message.content).toMatch(/\w/);
    expect(chat.model).toBe(model.model);
    const response = await post('/v1/responses', { input: 'What is 1 + 1?', max_output_tokens: 8 });
    expect(response.output[0].content[0].text).toMatch(/\w/);
    const message = await post('/v1/messages', { messages, max_tokens: 8 });
    expect(message.content[0].text).toMatch(/\w/);
  }),
);

test(
  'it has the slots and the context that were asked for',
  { timeout },
  withPython(async () => {
    const props = await (await fetch(`${model.url}/props`)).json();
    expect(props).toMatchObject({ total_slots: 2, default_generation_settings: { n_ctx: 2048 } });
  }),
);

test(
  'its prompt without tools is the one the model was trained on',
  { timeout },
  withPython(async () => {
    const messages = [user('a'), { role: 'assistant', content: 'b' }, user('c')];
    const { prompt } = await post('/apply-template', { messages });
    expect(prompt.split('\n')).toEqual([
      '<|im_start|>system',
      'You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>',
      '<|im_start|>user',
      'a<|im_end|>',
      '<|im_start|>assistant',
      'b<|im_end|>',
      '<|im_start|>user',
      'c<|im_end|>',
      '<|im_start|>assistant',
      '',
    ]);
  }),
);

test(
  'its prompt shows tools, calls and results',
  { timeout },
  withPython(async () => {
    const call = (id: string, args: string): object => ({
      id,
      type: 'function',
      function: { name: 'add', arguments: args },
    });
    const { prompt } = await post('/apply-template', {
      tools: [add],
      messages: [
        { role: 'system', content: 'Be brief.' },
        user('q'),
        { role: 'assistant', content: null, tool_calls: [call('1', '{"a":1}'), call('2', '{}')] },
        { role: 'tool', tool_call_id: '1', content: 'r1' },
        { role: 'tool', tool_call_id: '2', content: 'r2' },
      ],
    });
    expect(prompt).toMatch(/^<\|im_start\|>system\nBe brief\.\n\n# Tools\n.*\n<tools>\n\{.*"add"/);
    expect(prompt.slice(prompt.indexOf('<|im_start|>assistant')).split('\n')).toEqual([
      '<|im_start|>assistant',
      '<tool_call>',
      '{"name": "add", "arguments": {"a": 1}}',
      '</tool_call>',
      '<tool_call>',
      '{"name": "add", "arguments": {}}',
      '</tool_call><|im_end|>',
      '<|im_start|>user',
      '<tool_response>',
      'r1',
      '</tool_response>',
      '<tool_response>',
      'r2',
      '</tool_response><|im_end|>',
      '<|im_start|>assistant',
      '',
    ]);
  }),
);

test(
  'a call that it is led into comes back as a tool call',
  { timeout },
  withPython(async () => {
    const reply = await post('/v1/chat/completions', {
      messages: [user('Add 2 and 3.'), { role: 'assistant', content: '<tool_call>\n' }],
      tools: [add],
      tool_choice: 'required',
      stop: ['</tool_call>'],
      temperature: 0,
      max_tokens: 64,
    });
    expect(reply.choices[0].message.tool_calls[0].function.name).toBe('add');
  }),
);
