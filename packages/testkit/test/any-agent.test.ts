import { afterEach, describe, expect, test } from 'vitest';
import {
  callTool,
  fitting,
  handIn,
  resultsOf,
  runShell,
  say,
  shellCall,
  solveWithShell,
  startScriptedModel,
  toolCall,
} from '../src/index.ts';
import type { ScriptedModel, ScriptFunction, WireDialect } from '../src/index.ts';
import { post } from './post.ts';

let model: ScriptedModel;
afterEach(() => model.close());

const bash = {
  type: 'function',
  function: { name: 'bash', parameters: { type: 'object', properties: { command: {} } } },
};

interface Agent {
  readonly name: string;
  readonly tools: readonly object[];
  readonly prompt: string;
  /** How the result of a command comes back. */
  readonly result: object;
  readonly runs: string;
  readonly ends: string;
}

const agents: readonly Agent[] = [
  {
    name: 'an agent with a shell tool',
    tools: [bash],
    prompt: 'List the files.',
    result: { role: 'tool', tool_call_id: 'c', content: 'two files' },
    runs: String.raw`{\"command\":\"ls\"}`,
    ends: '"content":"All done."',
  },
  {
    name: 'mini-swe-agent',
    tools: [bash],
    prompt: 'List the files. Submit by `echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT`.',
    result: { role: 'tool', tool_call_id: 'c', content: 'two files' },
    runs: String.raw`{\"command\":\"ls\"}`,
    ends: 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; cat',
  },
  {
    name: 'terminus-2',
    tools: [],
    prompt: '{ "commands": [{ "keystrokes": "ls\\n" }], "task_complete": false } List the files.',
    result: { role: 'user', content: 'two files' },
    runs: String.raw`\"keystrokes\":\"ls\\n\"`,
    ends: String.raw`\"task_complete\":true`,
  },
];

const scripts: Readonly<Record<string, ScriptFunction>> = {
  'runShell, resultsOf and handIn': (request) =>
    resultsOf(request).join() === 'two files'
      ? handIn(request, 'All done.')
      : (runShell(request, 'ls') ?? say('no shell')),
  'fitting(solveWithShell())': fitting(solveWithShell('ls', 'All done.')),
};

describe.each(agents)('$name', ({ tools, prompt, result, runs, ends }) => {
  test.each(Object.keys(scripts))(
    '%s: runs a command, and ends when its result is there',
    async (name) => {
      model = await startScriptedModel({ script: scripts[name] ?? [] });
      const messages = [{ role: 'user', content: prompt }];
      const first = await ask('chat-completions', { tools, messages });
      expect(first).toContain(runs);
      expect(first).not.toContain(ends);
      const { choices } = JSON.parse(first) as { choices: [{ message: object }] };
      const restated = [...messages, choices[0].message, result];
      expect(await ask('chat-completions', { tools, messages: restated })).toContain(ends);
    },
  );
});

test('an agent without a shell gets no command', async () => {
  model = await startScriptedModel({ script: (request) => runShell(request, 'ls') ?? say('none') });
  expect(await ask('messages', { tools: [] })).toContain('none');
});

describe('shellCall gives the command as the schema asks for it', () => {
  const text = { type: 'string' };
  const list = { type: 'array', items: text };
  const words = ['sh', '-c', 'ls'];
  const cases: readonly [name: string, properties: object | null, sent: object][] = [
    ['shell', { command: text }, { command: 'ls' }],
    ['shell', { command: list, workdir: text }, { command: words }],
    ['shell', { command: { type: ['array', 'null'] } }, { command: words }],
    ['shell', { command: { anyOf: [text, list] } }, { command: 'ls' }],
    ['shell', { command: { anyOf: [list, { type: 'null' }] } }, { command: words }],
    ['shell', null, { command: words }],
    ['exec_command', { cmd: text }, { cmd: 'ls' }],
    ['exec_command', { command: list }, { command: words }],
    ['bash', { cmd: text }, { cmd: 'ls' }],
    ['bash', { command: list }, { command: words }],
    [
      'Bash',
      { command: text, description: text },
      { command: 'ls', description: 'Run the scripted command' },
    ],
  ];
  test.each(cases)('%s %j', async (name, properties, sent) => {
    model = await startScriptedModel({ script: ({ tools }) => shellCall(tools, 'ls') ?? say('-') });
    const input_schema = properties === null ? {} : { type: 'object', properties };
    const reply = await ask('messages', { tools: [{ name, input_schema }] });
    const { content } = JSON.parse(reply) as { content: readonly { input: object }[] };
    expect(content.map(({ input }) => input)).toEqual([sent]);
  });
});

describe('a task’s tool is called as the agent offers it', () => {
  const inner = { type: 'function', name: 'secret', parameters: {} };
  const clock = { type: 'namespace', name: 'mcp__clock', tools: [inner] };

  test.each<[string, ScriptFunction]>([
    ['toolCall', ({ tools }) => toolCall(tools, 'secret', {}) ?? say('none')],
    [
      'callTool with the offered tool',
      ({ tools }) => {
        const tool = tools.find(({ name }) => name === 'secret');
        return tool === undefined ? say('none') : callTool(tool, {});
      },
    ],
  ])('%s: in a namespace', async (_, script) => {
    model = await startScriptedModel({ script });
    for (const stream of [false, true]) {
      const reply = await ask('responses', { tools: [clock], stream });
      expect(reply).toMatch(/"name":"secret".*"namespace":"mcp__clock"/);
    }
  });

  test.each([
    [['Read', 'mcp__clock__secret'], 'mcp__clock__secret'],
    [['secret', 'mcp__clock__secret'], 'mcp__clock__secret'],
    [['clock_secret', 'secrets'], 'clock_secret'],
    [['old_secret', 'secret'], 'secret'],
    [['notsecret', 'secretly'], null],
  ])('of %j it is %s', async (names, chosen) => {
    model = await startScriptedModel({
      script: ({ tools }) => toolCall(tools, 'secret', {}) ?? say('there is none'),
    });
    const tools = names.map((name) => ({ name, input_schema: {} }));
    expect(await ask('messages', { tools })).toContain(
      chosen === null ? 'there is none' : `"name":"${chosen}"`,
    );
  });

  test('a custom tool gets its text as input', async () => {
    model = await startScriptedModel({
      script: ({ tools: [tool] }) => (tool === undefined ? say('none') : callTool(tool, '*** x')),
    });
    const reply = await ask('responses', { tools: [{ type: 'custom', name: 'apply_patch' }] });
    expect(reply).toContain('"input":"*** x"');
  });
});

async function ask(dialect: WireDialect, fields: Readonly<Record<string, unknown>>) {
  return (await post(model.url, dialect, { stream: false, ...fields })).text();
}
