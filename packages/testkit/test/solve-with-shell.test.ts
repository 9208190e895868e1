import { afterEach, describe, expect, test } from 'vitest';
import { answerSums, solveWithShell, startScriptedModel } from '../src/index.ts';
import type { ScriptedModel, WireDialect } from '../src/index.ts';
import { post } from './post.ts';

let model: ScriptedModel;
afterEach(() => model.close());

interface Case {
  readonly agent: string;
  readonly dialect: WireDialect;
  /** The shell tool, beside another one, as the agent declares them. */
  readonly tools: readonly object[];
  /** The prompt with the first call and its result restated. */
  readonly restated: object;
  readonly sent: string;
}

const schema = (...names: string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

const cases: Case[] = [
  {
    agent: 'codex',
    dialect: 'responses',
    tools: [
      { type: 'web_search' },
      { type: 'function', name: 'exec_command', parameters: schema('cmd', 'workdir') },
    ],
    restated: {
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
        { type: 'function_call', call_id: 'c', name: 'exec_command', arguments: '{"cmd":"ls"}' },
        { type: 'function_call_output', call_id: 'c', output: 'file' },
      ],
    },
    sent: '{"cmd":"ls"}',
  },
  {
    agent: 'claude code',
    dialect: 'messages',
    tools: [
      { name: 'Read', input_schema: schema('file_path') },
      { name: 'Bash', input_schema: schema('command', 'description') },
    ],
    restated: {
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'file' }] },
      ],
    },
    sent: '{"command":"ls","description":"Run the scripted command"}',
  },
  {
    agent: 'a loop with a bash tool',
    dialect: 'chat-completions',
    tools: [{ type: 'function', function: { name: 'bash', parameters: schema('command') } }],
    restated: {
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'bash', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'file' },
      ],
    },
    sent: '{"command":"ls"}',
  },
];

describe.each(cases)('solveWithShell in $agent', ({ dialect, tools, restated, sent }) => {
  test('calls its shell, then closes', async () => {
    model = await startScriptedModel({ script: solveWithShell('ls', 'All done.') });
    const first = await reply(dialect, { tools });
    expect(first).toContain(dialect === 'messages' ? sent : JSON.stringify(sent));
    const second = await reply(dialect, { tools, ...restated });
    expect(second).toContain('All done.');
    expect(second).not.toContain('scripted command');
  });

  test('closes at once when there is no shell', async () => {
    model = await startScriptedModel({ script: solveWithShell('ls', 'All done.') });
    expect(await reply(dialect, { tools: [] })).toContain('All done.');
  });
});

test('a second user turn is worked on again, with a command made for it', async () => {
  model = await startScriptedModel({ script: solveWithShell(({ turn }) => `echo turn ${turn}`) });
  const tools = [{ name: 'Bash', input_schema: schema('command') }];
  const messages = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'two' },
  ];
  expect(await reply('messages', { tools, messages })).toContain(
    '"input":{"command":"echo turn 1"}',
  );
});

test('answerSums answers the last sum asked', async () => {
  model = await startScriptedModel({ script: answerSums('No sum.') });
  const messages = [{ role: 'user', content: 'Like 1 + 1 = 2. What is 40 + -2?' }];
  expect(await reply('messages', { messages })).toContain('"text":"38"');
  expect(await reply('messages', {})).toContain('"text":"No sum."');
});

async function reply(
  dialect: WireDialect,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  return (await post(model.url, dialect, { stream: false, ...fields })).text();
}
