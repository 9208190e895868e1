import { expect, test } from 'vitest';
import { configSchema } from './config.ts';
import { authTypeOf, modelVariables } from './dialects.ts';
import { evidenceOf } from './evidence.ts';
import { mcpServersOf, settingsOf } from './settings.ts';

const lines = (...events: readonly object[]): { stdout: string } => ({
  stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
});
const init = { type: 'system', subtype: 'init', session_id: 's1' };

test('a result that is an error says why', () => {
  expect(evidenceOf(lines(init, { type: 'result', is_error: false }))).toEqual({
    session: 's1',
    failure: null,
  });
  const failed = { type: 'result', is_error: true, subtype: 'error_during_execution' };
  expect(evidenceOf(lines(init, failed)).failure).toBe('error_during_execution');
  expect(evidenceOf(lines(init, { ...failed, error: { message: 'over' } })).failure).toBe('over');
  expect(evidenceOf({ stdout: 'no json' })).toEqual({ session: null, failure: null });
});

test('the model is named in the variables of its dialect', () => {
  const endpoint = { url: 'http://h:1/x', bearer: 'b' };
  expect(modelVariables('responses', endpoint, 'm1')).toEqual({
    OPENAI_BASE_URL: 'http://h:1/x/v1',
    OPENAI_API_KEY: 'b',
    OPENAI_MODEL: 'm1',
  });
  expect(modelVariables('messages', endpoint, 'm1')).toHaveProperty(
    'ANTHROPIC_BASE_URL',
    'http://h:1/x',
  );
  expect(authTypeOf('responses')).toBe('openai-responses');
});

test('settings keep it to one call at a time; the user has the last word', () => {
  const config = configSchema.parse({ contextWindow: 9000, settings: { general: {} } });
  expect(settingsOf(config)).toMatchObject({
    memory: { enableManagedAutoMemory: false },
    model: { generationConfig: { maxRetries: 0, contextWindowSize: 9000 } },
    general: {},
  });
});

test('MCP servers of every transport', () => {
  const servers = mcpServersOf([
    { transport: 'streamable-http', name: 'a', url: 'http://h/mcp', headers: { X: 'b' } },
    { transport: 'sse', name: 'b', url: 'http://h/sse', headers: {} },
    { transport: 'stdio', name: 'c', command: 'clock', args: ['-u'] },
  ]);
  expect(servers).toMatchObject({
    mcpServers: {
      a: { httpUrl: 'http://h/mcp', headers: { X: 'b' } },
      b: { url: 'http://h/sse' },
      c: { command: 'clock', args: ['-u'] },
    },
  });
});
