import { parse, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { configSchema } from './config.ts';
import { settingsOf } from './settings.ts';

const base = {
  config: configSchema.parse({}),
  endpoint: { url: 'http://h:1/x', bearer: 'secret' },
  model: 'm1',
  systemPrompt: null,
  mcp: [],
};
const settings = (changes: Partial<Parameters<typeof settingsOf>[0]> = {}): object =>
  parse(stringify(settingsOf({ ...base, ...changes }, '/home/p.md')));
const configured = (config: object): object => settings({ config: configSchema.parse(config) });

describe('settings', () => {
  test('ask the endpoint once, and call nobody else', () => {
    expect(settings()).toMatchObject({
      model: 'm1',
      model_provider: 'vf',
      model_providers: {
        vf: { base_url: 'http://h:1/x/v1', request_max_retries: 0, stream_max_retries: 0 },
      },
      check_for_update_on_startup: false,
      analytics: { enabled: false },
      features: { plugins: false, apps: false },
      allow_login_shell: false,
    });
    expect(settings()).not.toHaveProperty('developer_instructions');
  });

  test('name variables, never bearers, and keep them from the shell', () => {
    const mcp = [{ name: 'task', url: 'http://h:1/mcp', bearer: 'mcp-secret' }];
    const written = settings({ mcp });
    expect(JSON.stringify(written)).not.toContain('secret');
    expect(written).toMatchObject({
      shell_environment_policy: { exclude: ['VF_CODEX_KEY', 'VF_CODEX_MCP_KEY_0'] },
      mcp_servers: {
        task: { url: 'http://h:1/mcp', bearer_token_env_var: 'VF_CODEX_MCP_KEY_0', required: true },
      },
    });
  });

  test('start and reach the servers that a task brings', () => {
    const written = settings({
      taskMcp: [
        { transport: 'stdio', name: 'clock', command: 'clock', args: ['-u'] },
        { transport: 'streamable-http', name: 'shop', url: 'http://s/mcp', headers: { X: 'k' } },
      ],
    });
    expect(written).toMatchObject({
      mcp_servers: {
        clock: { command: 'clock', args: ['-u'], required: true },
        shop: { url: 'http://s/mcp', http_headers: { X: 'k' }, required: true },
      },
    });
  });

  test('put the system prompt where the config says', () => {
    const systemPrompt = 'Say "hi"\nand \\ bye é';
    expect(settings({ systemPrompt })).toHaveProperty('developer_instructions', systemPrompt);
    const replaced = { ...base.config, systemPrompt: 'replace' as const };
    const written = settings({ systemPrompt, config: replaced });
    expect(written).toHaveProperty('model_instructions_file', '/home/p.md');
    expect(written).not.toHaveProperty('developer_instructions');
  });

  test('pass on what the model needs, and the user has the last word', () => {
    const config = {
      reasoningEffort: 'high',
      contextWindow: 9000,
      compactAt: 7000,
      settings: { model: 'other', a: { b: 1 } },
    };
    expect(configured(config)).toMatchObject({
      model_reasoning_effort: 'high',
      model_context_window: 9000,
      model_auto_compact_token_limit: 7000,
      model: 'other',
      a: { b: 1 },
    });
  });
});

test('a version is an exact one', () => {
  expect(configSchema.safeParse({ version: 'latest' }).success).toBe(false);
  expect(configSchema.parse({ version: '0.172.0-alpha.1' }).version).toBe('0.172.0-alpha.1');
});
