import { expect, test } from 'vitest';
import { configSchema } from './config.ts';
import { settingsOf } from './settings.ts';

const base = {
  config: configSchema.parse({}),
  dialect: 'chat-completions',
  endpoint: { url: 'http://h:1/x', bearer: 'secret' },
  model: 'org/m1',
  systemPrompt: null,
  mcp: [],
} as const;
const settings = (changes: Partial<Parameters<typeof settingsOf>[0]> = {}): object =>
  settingsOf({ ...base, ...changes }, '/home/p.md');

test('ask the endpoint for one model, and nobody else', () => {
  expect(settings()).toMatchObject({
    model: 'vf/org/m1',
    small_model: 'vf/org/m1',
    share: 'disabled',
    autoupdate: false,
    provider: {
      vf: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: 'http://h:1/x/v1', apiKey: 'secret', timeout: false },
        models: { 'org/m1': { limit: { context: 200_000, output: 32_000 } } },
      },
    },
  });
  expect(settings()).not.toHaveProperty('mcp');
  expect(settings({ dialect: 'messages' })).toHaveProperty('provider.vf.npm', '@ai-sdk/anthropic');
});

test('put the system prompt where the config says', () => {
  const systemPrompt = 'Be a lamp.';
  expect(settings({ systemPrompt })).toHaveProperty('instructions', ['/home/p.md']);
  const config = configSchema.parse({ systemPrompt: 'replace' });
  expect(settings({ systemPrompt, config })).toHaveProperty('agent.build.prompt', systemPrompt);
});

test('hand on tools, and give the user the last word', () => {
  const mcp = [{ name: 'task', url: 'http://h:1/mcp', bearer: 'b' }];
  expect(settings({ mcp })).toMatchObject({
    mcp: {
      task: { type: 'remote', url: 'http://h:1/mcp', headers: { Authorization: 'Bearer b' } },
    },
  });
  const clock = { transport: 'stdio', name: 'clock', command: 'clock', args: ['-u'] } as const;
  expect(settings({ taskMcp: [clock] })).toMatchObject({
    mcp: { clock: { type: 'local', command: ['clock', '-u'] } },
  });
  const config = configSchema.parse({ subAgents: false, settings: { share: 'manual', x: 1 } });
  expect(settings({ config })).toMatchObject({
    permission: { task: 'deny' },
    share: 'manual',
    x: 1,
  });
});
