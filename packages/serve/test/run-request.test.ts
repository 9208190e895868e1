import { defineTaskset, z } from '@vf/core';
import { describe, expect, test } from 'vitest';
import { RunRequests } from '../src/request/run-request.ts';
import { pack } from '@vf/wire';

const { spec } = defineTaskset({ data: z.object({ answer: z.number() }), load: () => [] });
const taskset = {
  name: 'sums',
  spec,
  config: {},
  rewards: [],
  metrics: [],
  stops: [],
  groupWeights: {},
};
const requests = new RunRequests({ taskset, byKey: new Map() });

function read(changes: object = {}) {
  const request = {
    task_data: { prompt: 'What is 2 + 2?', answer: 4 },
    client: { type: 'train', base_url: 'http://127.0.0.1:8000/v1' },
    model: 'policy',
    sampling: {},
    ...changes,
  };
  return requests.read(pack(request));
}

const train = (client: object): object => ({
  client: { type: 'train', base_url: 'http://engine', ...client },
});

test.each([
  ['bytes', { prompt: Uint8Array.of(1), answer: 4 }],
  ['bytes in a list', { answer: 4, more: [Uint8Array.of(1)] }],
  ['a key that is no text', { answer: 4, more: new Map([[5, 1]]) }],
  ['more depth than JSON of Python has', { answer: 4, more: nested(300) }],
])('[serve/hostile] a task with %s is no row', (_, task_data) => {
  expect(() => read({ task_data })).toThrow(
    expect.objectContaining({ code: 'taskset/invalid_row' }),
  );
});

function nested(depth: number): unknown {
  let list: unknown = 1;
  for (let at = 0; at < depth; at++) list = [list];
  return list;
}

describe('[serve/train] the client of a trainer', () => {
  test('says of whom the tokenizer is, and how it renders', () => {
    const { client } = read(
      train({
        renderer_model_name: 'Qwen/Qwen3-4B',
        renderer: { name: 'qwen3', thinking_retention: 'all', enable_thinking: false },
        multiplex: 256,
        timeout: { connect: 30 },
      }),
    );
    expect(client.train).toEqual({
      rendererModel: 'Qwen/Qwen3-4B',
      renderer: { family: 'qwen3', options: { retention: 'all', thinking: false } },
    });
  });

  test.each([
    null,
    { name: 'auto', thinking_retention: null },
    { name: 'default', tool_parser: null },
  ])('leaves it to the config and to the model with %j', (renderer) => {
    expect(read(train({ renderer })).client.train).toEqual({
      rendererModel: null,
      renderer: { family: null, options: {} },
    });
  });

  test.each([
    [{ preserve_thinking: true }, { keepThinking: true }],
    [{ clear_thinking: false }, { keepThinking: true }],
    [{ truncate_history_thinking: true }, { keepThinking: false }],
    [{ drop_thinking: false }, { keepThinking: true }],
    [{ thinking: false }, { thinking: false }],
    [{ reasoning_effort: 'high' }, { effort: 'high' }],
    [{ date_string: '26 Jul 2024' }, { date: new Date('26 Jul 2024') }],
    [{ add_vision_id: false, image_cache_max: 256, tools_in_user_message: true }, {}],
  ])('its setting %j', (setting, options) => {
    const { client } = read(train({ renderer: { name: 'x', ...setting } }));
    expect(client.train?.renderer).toEqual({ family: 'x', options });
  });

  test.each([
    { render_assistant_messages_raw: true },
    { add_vision_id: true },
    { reasoning_effort: 'max' },
    { date_string: 'tomorrow' },
    { enable_thinking: 'yes' },
    { model_identity: 'You are somebody else.' },
  ])('a setting that vf does not have is refused by name: %j', (setting) => {
    expect(() => read(train({ renderer: { name: 'x', ...setting } }))).toThrow(
      expect.objectContaining({
        code: 'misfit/no_renderer',
        message: expect.stringContaining(Object.keys(setting)[0] ?? ''),
      }) as Error,
    );
  });

  test('takes the settings of the template from the sampling', () => {
    const template = { chat_template_kwargs: { enable_thinking: false } };
    const sampling = { temperature: 0.5, extra_body: { cache_salt: '7', ...template } };
    const trained = read({ sampling });
    expect(trained.client.train?.renderer.options).toEqual({ thinking: false });
    expect(trained.sampling).toEqual({ temperature: 0.5, extra: { cache_salt: '7' } });
    const relayed = read({ sampling, client: { type: 'eval', base_url: 'http://engine' } });
    expect(relayed.client.train).toBeNull();
    expect(relayed.sampling.extra).toEqual({ cache_salt: '7', ...template });
  });

  test('of another type, or without an address, is malformed', () => {
    const addresses = ['', 'x', '127.0.0.1:8000', 'ftp://host/v1', 'file:///etc/passwd'];
    const misplaced = addresses.flatMap((url) => [
      { type: 'train', base_url: url },
      { type: 'eval', base_url: url },
    ]);
    const other = { type: 'other', base_url: 'http://engine' };
    for (const client of [other, { type: 'train' }, 7, ...misplaced])
      expect(() => read({ client })).toThrow(
        expect.objectContaining({ code: 'usage/invalid' }) as Error,
      );
  });
});
