import { afterEach, expect, test } from 'vitest';
import {
  byteIds,
  byteTokenizer,
  callTool,
  cut,
  fail,
  failInStream,
  finish,
  say,
  solveWithShell,
  startScriptedModel,
  think,
} from '../src/index.ts';
import type { Script, ScriptedModel } from '../src/index.ts';
import { eventsOf } from './post.ts';

let model: ScriptedModel;
afterEach(() => model.close());

const prompt = `<|im_start|>system
Be brief.

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{"type": "function", "function": {"name": "bash", "description": "runs", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}}}
{"type": "function", "function": {"name": "read", "parameters": {}}}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call><|im_end|>
<|im_start|>user
Clean <up>.<|im_end|>
<|im_start|>assistant
<think>
Two things.
</think>

I look.
<tool_call>
{"name": "bash", "arguments": {"command": "ls"}}
</tool_call>
<tool_call>
{"name": "read", "arguments": {"path": "a"}}
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
a
b
</tool_response>
<tool_response>
text of a
</tool_response><|im_end|>
<|im_start|>assistant
`;
const question = '<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n';

async function complete(
  script: Script,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Response> {
  model = await startScriptedModel({ script });
  return ask({ prompt: byteIds(question), ...body });
}

function ask(body: object): Promise<Response> {
  return fetch(`${model.url}/completion`, { method: 'POST', body: JSON.stringify(body) });
}

function textOf(ids: readonly number[]): string {
  return Buffer.concat(ids.map((id) => byteTokenizer.bytes(id))).toString();
}

test('a script sees the conversation and the tools in the ids of a prompt', async () => {
  await complete(() => say('ok'), { prompt: byteIds(prompt) });
  expect(model.turns[0]?.call).toMatchObject({
    dialect: 'chat-completions',
    turn: 1,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Clean <up>.' },
      {
        role: 'assistant',
        reasoning: 'Two things.',
        content: 'I look.',
        toolCalls: [
          { id: 'call_2_0', name: 'bash', arguments: '{"command":"ls"}' },
          { id: 'call_2_1', name: 'read', arguments: '{"path":"a"}' },
        ],
      },
      { role: 'tool', toolCallId: 'call_2_0', content: 'a\nb' },
      { role: 'tool', toolCallId: 'call_2_1', content: 'text of a' },
    ],
    tools: [{ name: 'bash', description: 'runs' }, { name: 'read' }],
  });
});

test('marks that are spelt in a text are text', async () => {
  const ids = [
    ...byteIds('<|im_start|>user\n'),
    ...byteTokenizer.encode('a <|im_end|> <tool_response>'),
    ...byteIds('<|im_end|>\n<|im_start|>assistant\n'),
  ];
  await complete(() => say('ok'), { prompt: ids });
  expect(model.turns[0]?.call?.messages).toEqual([
    { role: 'user', content: 'a <|im_end|> <tool_response>' },
  ]);
  expect(model.turns[0]?.call?.tools).toEqual([]);
});

test.each([false, true])(
  'a reply is the ids of qwen3, a logprob for each; streamed: %s',
  async (stream) => {
    const reply = [think('why'), say('so <tool_call>'), callTool('bash', { command: 'ls' })];
    const response = await complete(() => reply, { stream, n_predict: -1 });
    const parts = stream ? eventsOf(await response.text()) : [await response.json()];
    const answers = parts as Completion[];
    const ids = answers.flatMap(({ tokens }) => tokens);
    const [before, after] = [
      byteIds('<think>\nwhy\n</think>\n\n'),
      byteIds(
        '\n<tool_call>\n{"name": "bash", "arguments": {"command":"ls"}}\n</tool_call><|im_end|>',
      ),
    ];
    expect(ids).toEqual([...before, ...byteTokenizer.encode('so <tool_call>'), ...after]);
    expect(answers.flatMap(({ completion_probabilities: told = [] }) => told)).toEqual(
      ids.map((id) => ({ id, logprob: -0.25 })),
    );
    expect(answers.at(-1)).toMatchObject({
      stop: true,
      stop_type: 'eos',
      tokens_predicted: ids.length,
      truncated: false,
    });
    expect(answers.length).toBe(stream ? ids.length + 1 : 1);
  },
);

interface Completion {
  readonly tokens: readonly number[];
  readonly completion_probabilities?: readonly object[];
  readonly [fact: string]: unknown;
}

test('no more ids are given than are asked for', async () => {
  const response = await complete(() => say('abcdef'), { n_predict: 4 });
  const short = (await response.json()) as Completion;
  expect([textOf(short.tokens), short['stop_type']]).toEqual(['abcd', 'limit']);
  await model.close();
  const stopped = await complete(() => [say('abc'), finish('length')]);
  expect(await stopped.json()).toMatchObject({ tokens: byteIds('abc'), stop_type: 'limit' });
});

test('a script that knows agents solves here too', async () => {
  const opening = prompt.slice(0, prompt.indexOf('<|im_start|>assistant'));
  const first = await complete(solveWithShell('ls'), { prompt: byteIds(opening) });
  expect(textOf(((await first.json()) as Completion).tokens)).toContain('"command":"ls"');
  const then = (await (await ask({ prompt: byteIds(prompt) })).json()) as Completion;
  expect(textOf(then.tokens)).toBe('Done.<|im_end|>');
});

test('it fails as a server does', async () => {
  const failed = await complete([
    fail(503, { message: 'loading' }),
    [say('a'), cut(1)],
    failInStream('server_error', 'broke'),
  ]);
  expect([failed.status, await failed.json()]).toMatchObject([
    503,
    { error: { message: 'loading' } },
  ]);
  const broken = await ask({ prompt: byteIds(question), stream: true });
  await expect(broken.text()).rejects.toThrow(TypeError);
  const told = await ask({ prompt: byteIds(question), stream: true });
  expect(eventsOf(await told.text())).toMatchObject([{ error: { message: 'broke' } }]);
});

test('what is no prompt is refused', async () => {
  const none = await complete(() => say('never'), { prompt: undefined });
  expect([none.status, await none.text()]).toEqual([
    400,
    expect.stringContaining('no list of token ids'),
  ]);
});

test('it tells its context and its tokens', async () => {
  await complete(() => say('ok'));
  const props = await fetch(`${model.url}/props`);
  expect(await props.json()).toMatchObject({ default_generation_settings: { n_ctx: 1_000_000 } });
  const tokensOf = async (body: object): Promise<unknown> =>
    (await fetch(`${model.url}/tokenize`, { method: 'POST', body: JSON.stringify(body) })).json();
  const content = 'a<|im_end|>';
  expect(await tokensOf({ content })).toEqual({ tokens: byteIds(content) });
  const plain = { tokens: byteTokenizer.encode(content) };
  expect(await tokensOf({ content, parse_special: false })).toEqual(plain);
});
