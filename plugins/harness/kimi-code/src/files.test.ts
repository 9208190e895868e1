import { expect, test } from 'vitest';
import { configSchema } from './config.ts';
import { environmentOf } from './environment.ts';
import { sessionOf } from './evidence.ts';
import { agentFile, mcpFile } from './files.ts';

const config = configSchema.parse({});

test('the system prompt stands behind its own, or in its place with the skills', () => {
  expect(agentFile('Be a lamp.', config)).toMatch(/---\n\$\{base_prompt\}\n\nBe a lamp\.\n$/);
  const replaced = agentFile('Be a lamp.', { ...config, systemPrompt: 'replace' });
  expect(replaced).toMatch(/---\nBe a lamp\.\$\{skills_section\}\n$/);
});

test('MCP servers of every transport', () => {
  const file = mcpFile([
    { transport: 'streamable-http', name: 'a', url: 'http://h/mcp', headers: { X: 'b' } },
    { transport: 'sse', name: 'b', url: 'http://h/sse', headers: {} },
    { transport: 'stdio', name: 'c', command: 'clock', args: ['-u'] },
  ]);
  expect(JSON.parse(file)).toMatchObject({
    mcpServers: {
      a: { transport: 'http', url: 'http://h/mcp', headers: { X: 'b' } },
      b: { transport: 'sse', url: 'http://h/sse' },
      c: { transport: 'stdio', command: 'clock', args: ['-u'] },
    },
  });
});

test('the environment asks the endpoint once and calls nobody else', () => {
  const endpoint = { url: 'http://h:1/x', bearer: 'secret' };
  const ctx = { config: { ...config, maxSteps: 9 }, dialect: 'messages', endpoint, model: 'm1' };
  expect(environmentOf({ ...ctx, dialect: 'messages' }, '/home')).toMatchObject({
    KIMI_CODE_HOME: '/home',
    KIMI_MODEL_PROVIDER_TYPE: 'anthropic',
    KIMI_MODEL_BASE_URL: 'http://h:1/x/v1',
    KIMI_LOOP_MAX_ATTEMPTS_PER_STEP: '1',
    KIMI_LOOP_MAX_STEPS_PER_TURN: '9',
    KIMI_DISABLE_TELEMETRY: '1',
  });
});

test('the session is the one that the last line names', () => {
  const hint = JSON.stringify({ role: 'meta', type: 'session.resume_hint', session_id: 's1' });
  expect(sessionOf({ stdout: `{"role":"assistant","content":"x"}\n${hint}\n` })).toBe('s1');
  expect(sessionOf({ stdout: 'no json' })).toBeNull();
});
