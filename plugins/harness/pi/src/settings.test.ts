import { expect, test } from 'vitest';
import { configSchema } from './config.ts';
import { filesOf } from './settings.ts';

const base = {
  config: configSchema.parse({}),
  dialect: 'chat-completions',
  endpoint: { url: 'http://h:1/x', bearer: 'secret' },
  model: 'org/m1',
  systemPrompt: null,
  mcp: [],
} as const;

function files(changes: Partial<Parameters<typeof filesOf>[0]> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filesOf({ ...base, ...changes })).map(([name, text]) => [
      name,
      name.endsWith('.json') ? (JSON.parse(text) as unknown) : text,
    ]),
  );
}

test('ask the endpoint once, for one model', () => {
  expect(files()).toMatchObject({
    'models.json': {
      providers: {
        vf: {
          baseUrl: 'http://h:1/x/v1',
          api: 'openai-completions',
          apiKey: 'secret',
          models: [{ id: 'org/m1', contextWindow: 200_000, reasoning: false }],
        },
      },
    },
    'settings.json': { retry: { enabled: false }, httpIdleTimeoutMs: 'disabled' },
  });
  expect(Object.keys(files())).toEqual(['models.json', 'settings.json']);
  const messages = files({ dialect: 'messages' });
  expect(messages['models.json']).toHaveProperty('providers.vf.baseUrl', 'http://h:1/x');
});

test('put the system prompt where the config says', () => {
  expect(files({ systemPrompt: 'Be.' })).toHaveProperty(['APPEND_SYSTEM.md'], 'Be.');
  const config = configSchema.parse({ systemPrompt: 'replace' });
  expect(files({ systemPrompt: 'Be.', config })).toHaveProperty(['SYSTEM.md'], 'Be.');
});

test('hand on tools, and give the user the last word', () => {
  const mcp = [{ name: 'task', url: 'http://h:1/mcp', bearer: 'b' }];
  const task = {
    url: 'http://h:1/mcp',
    headers: { Authorization: 'Bearer b' },
    exposure: 'direct',
  };
  expect(files({ mcp })['mcp.json']).toMatchObject({ mcpServers: { task } });
  const clock = { transport: 'stdio', name: 'clock', command: 'clock', args: ['-u'] } as const;
  expect(files({ taskMcp: [clock] })['mcp.json']).toMatchObject({
    mcpServers: { clock: { command: 'clock', args: ['-u'], exposure: 'direct' } },
  });
  const config = configSchema.parse({ thinking: 'high', settings: { retry: { enabled: true } } });
  expect(files({ config })).toMatchObject({
    'settings.json': { retry: { enabled: true } },
    'models.json': { providers: { vf: { models: [{ reasoning: true }] } } },
  });
});
