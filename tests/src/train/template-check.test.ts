import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { jinjaRenderer, rendererFor } from '@vf/renderers';
import type { Renderer, RendererOptions, Tokenizer } from '@vf/renderers';
import { byteTokenizer, byteTokenizerJson } from '@vf/testkit';
import { checkTraining, openRenderer } from '@vf/train';
import type { EngineOptions } from '@vf/train';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bytesWith, templateServer } from './template-server.ts';

const { signal } = new AbortController();
const engines = ['llama.cpp', 'vllm', 'sglang'] as const;

/** Control tokens of families that have not those of qwen3. */
const other: Readonly<Record<string, Tokenizer>> = {
  'llama-3': bytesWith([
    '<|begin_of_text|>',
    '<|start_header_id|>',
    '<|end_header_id|>',
    '<|eot_id|>',
  ]),
  'gpt-oss': bytesWith(
    ['start', 'channel', 'message', 'constrain', 'end', 'call', 'return'].map(
      (name) => `<|${name}|>`,
    ),
  ),
};
const tokenizerOf = (family: string): Tokenizer => other[family] ?? byteTokenizer;

function rendererOf(family: string, options: RendererOptions = {}): Renderer {
  return rendererFor('', tokenizerOf(family), { ...options, renderer: family });
}

/** How a server writes whose template is that of a family. */
function writing(family: string, options: RendererOptions = {}) {
  const tokenizer = tokenizerOf(family);
  const renderer = rendererOf(family, options);
  return (messages: readonly Message[]): string => {
    const { tokenIds } = renderer.render({ messages });
    return Buffer.from(tokenizer.join(tokenIds, 0, tokenIds.length)).toString();
  };
}

function check(
  engine: (typeof engines)[number],
  renderer: Renderer,
  options: EngineOptions & { readonly otherTemplate?: boolean },
): Promise<void> {
  const tokenizer = tokenizerOf(renderer.family);
  const opened = { renderer, tokenizer, vocabulary: tokenizer.size };
  return checkTraining(engine, options, 'policy', opened, signal);
}

/** A folder of a model with this template, and its renderer by name. */
async function withTemplate(template: string) {
  const folder = await mkdtemp(join(tmpdir(), 'vf-jinja-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = { chat_template: template, eos_token: '<|im_end|>' };
  await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify(config));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(byteTokenizerJson()));
  return { model: 'policy', renderer: 'jinja', tokenizer: folder };
}

async function refusal(checked: Promise<void>): Promise<VfError> {
  const error: unknown = await checked.catch((failure: unknown) => failure);
  if (!VfError.isInstance(error)) throw new Error('nothing was refused', { cause: error });
  return error;
}

test.each(engines)(
  'kind, vocabulary and template of all servers are asked for at once: %s [train/template]',
  async (engine) => {
    const write = writing('qwen3');
    const [first, second] = await Promise.all([
      templateServer(write, { holdUntil: 3 }),
      templateServer(write, { holdUntil: 3 }),
    ]);
    await check(engine, rendererOf('qwen3'), { baseUrl: first.url, replicas: [second.url] });
    expect([first.asked, second.asked]).toEqual([[expect.anything()], [expect.anything()]]);
  },
);

describe.each(engines)('a template at %s [train/template]', (engine) => {
  test('is asked for with a system message, a turn of the past and no tools', async () => {
    const server = await templateServer(writing('qwen3'));
    await check(engine, rendererOf('qwen3'), { baseUrl: `${server.url}/v1` });
    const [{ messages, ...rest } = {}] = server.asked;
    expect((messages as readonly Message[]).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
    expect(rest).toEqual(
      engine === 'llama.cpp'
        ? { tool_choice: 'none' }
        : { model: 'policy', add_generation_prompt: true },
    );
  });

  test.each([
    ['qwen3', { thinking: false }],
    ['qwen3.5', { thinking: false }],
    ['qwen3.6', { keepThinking: true }],
    ['nemotron-3', { thinking: false, keepThinking: true }],
    ['gpt-oss', { effort: 'high', date: new Date('2025-08-09') }],
    ['llama-3', { date: new Date('2027-01-01') }],
  ] as const)('of %s passes, set to %j here or there', async (family, options) => {
    const usual = await templateServer(writing(family), { tokenizer: tokenizerOf(family) });
    await check(engine, rendererOf(family, options), { baseUrl: usual.url });
    const set = await templateServer(writing(family, options), { tokenizer: tokenizerOf(family) });
    await check(engine, rendererOf(family), { baseUrl: set.url });
    expect(set.asked).toHaveLength(1);
  });

  test.each([
    ['taken away', (text: string) => text.replace('<|begin_of_text|>', '')],
    ['doubled', (text: string) => `<|begin_of_text|>${text}`],
  ])('whose first token is %s by the server passes', async (_, bent) => {
    const write = writing('llama-3');
    const options = { tokenizer: tokenizerOf('llama-3') };
    const server = await templateServer((messages) => bent(write(messages)), options);
    await check(engine, rendererOf('llama-3'), { baseUrl: server.url });
    expect(server.asked).toHaveLength(1);
  });

  test('of another family is refused by name, with the families that it is of', async () => {
    const right = await templateServer(writing('qwen3'));
    const wrong = await templateServer(writing('qwen3.5'));
    const options = { baseUrl: right.url, replicas: [wrong.url] };
    const error = await refusal(check(engine, rendererOf('qwen3'), options));
    expect(error.code).toBe('misfit/template');
    expect(error.message).toBe(
      `the renderer qwen3 writes other prompts than the template that ${engine} has at ${wrong.url}: ` +
        String.raw`from character 201 on, behind " 5 + 6?<|im_end|>\n<|im_start|>assistant\n", the renderer writes nothing and the engine "<think>\n"`,
    );
    expect(error.hint).toMatch(/client\.renderer = .*"qwen3\.5"/);
    expect(error.hint).toContain('client.other_template = true');
    await check(engine, rendererOf('qwen3'), { ...options, otherTemplate: true });
  });

  test('that writes the thoughts of past turns though there are none passes', async () => {
    const write = writing('qwen3');
    const server = await templateServer((messages) =>
      write(messages).replace('3 + 4 is', '<think>\n\n</think>\n\n3 + 4 is'),
    );
    await check(engine, rendererOf('qwen3'), { baseUrl: server.url });
    expect(server.asked).toHaveLength(1);
  });

  test('of no family is refused; a renderer of a program’s own that writes it passes', async () => {
    const template =
      '{% for m in messages %}## {{ m.role }}: {{ m.content }}\n{% endfor %}## assistant:';
    const own = jinjaRenderer({ template, eosToken: '<|im_end|>' }, byteTokenizer);
    const server = await templateServer((messages) => {
      const { tokenIds } = own.render({ messages });
      return Buffer.from(tokenIds).toString();
    });
    await check(engine, own, { baseUrl: server.url });
    const error = await refusal(check(engine, rendererOf('qwen3'), { baseUrl: server.url }));
    expect(error.code).toBe('misfit/template');
    expect(error.hint).toContain('was trained with');
  });

  test('that the renderer jinja has too passes, set to think or not', async () => {
    const template =
      '{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if enable_thinking %}<think>\n{% endif %}';
    const named = await withTemplate(template);
    const server = await templateServer((messages) =>
      messages
        .map(({ role, content }) => `${role}: ${JSON.stringify(content)}\n`)
        .join('')
        .replaceAll('"', ''),
    );
    for (const thinking of [true, false]) {
      const opened = await openRenderer({ ...named, options: { thinking } });
      await checkTraining(engine, { baseUrl: server.url }, 'policy', opened, signal);
    }
    const foreign = await templateServer(writing('qwen3'));
    const opened = await openRenderer(named);
    const checked = checkTraining(engine, { baseUrl: foreign.url }, 'policy', opened, signal);
    expect((await refusal(checked)).message).toContain('the renderer jinja');
  });

  test('that takes no system message cannot be compared, and passes', async () => {
    const template =
      "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}{{ m.content }}{% endfor %}";
    const own = jinjaRenderer({ template, eosToken: '<|im_end|>' }, byteTokenizer);
    const server = await templateServer(writing('qwen3'));
    await check(engine, own, { baseUrl: server.url });
    expect(server.asked).toEqual([]);
  });

  test('whose settings it refuses in part is told as another one', async () => {
    const template =
      "{% if enable_thinking %}{{ raise_exception('no thinking') }}{% endif %}{% for m in messages %}{{ m.content }}{% endfor %}";
    const opened = await openRenderer(await withTemplate(template));
    const server = await templateServer(writing('qwen3'));
    const checked = checkTraining(engine, { baseUrl: server.url }, 'policy', opened, signal);
    expect((await refusal(checked)).code).toBe('misfit/template');
  });

  test('whose control tokens have other ids is refused', async () => {
    const shifted = { idOf: (id: number) => (id < 256 ? id : id + 100) };
    const server = await templateServer(writing('qwen3'), shifted);
    const error = await refusal(check(engine, rendererOf('qwen3'), { baseUrl: server.url }));
    expect(error.message).toContain('<token 356>');
  });

  test.each([
    { status: 404, body: { detail: 'Not Found' } },
    { status: 405, body: { detail: 'Method Not Allowed' } },
    { status: 501, body: { error: { message: 'not supported' } } },
    { status: 400, body: { error: { message: 'the model has no chat template' } } },
    { status: 500, body: { error: { message: 'tool_choice param requires --jinja flag' } } },
    { status: 200, body: {} },
    { status: 200, body: ['no', 'prompt'] },
    { status: 200, body: { tokens: [], prompt: '' } },
  ])('that it does not tell passes: %j', async (answer) => {
    const server = await templateServer(writing('qwen3.5'), { answer });
    await check(engine, rendererOf('qwen3'), { baseUrl: server.url });
    expect(server.asked).toHaveLength(1);
  });
});

test('llama.cpp’s stand-in for weights without a template is none [train/template]', async () => {
  const source =
    "{%- for message in messages -%}\n  {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}\n{%- endfor -%}";
  const server = await templateServer(writing('qwen3'), { source });
  await check('llama.cpp', rendererOf('qwen3.5'), { baseUrl: server.url });
  expect(server.asked).toEqual([]);
});
