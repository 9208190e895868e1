import { expect, test } from 'vitest';
import { mcpServer, resolveHeader } from './mcp-server.ts';

test.each([
  [{ name: 'a', url: 'http://a/sse' }, 'sse'],
  [{ name: 'a', transport: 'stdio', command: 'a' }, 'stdio'],
  [{ name: 'a', url: 'u', headers: { Authorization: 'Bearer ${TOKEN}' } }, 'sse'],
  [{ name: 'a', url: 'u', headers: { 'X-API-Key': '${ID}:${SECRET}' } }, 'sse'],
  [{ name: 'a', url: 'u', headers: { 'X-Region': 'eu-${ZONE:-1}' } }, 'sse'],
])('%j', (given, transport) => {
  expect(mcpServer.parse(given)).toMatchObject({ name: 'a', transport });
});

test.each([
  [{ transport: 'stdio' }, 'command'],
  [{ transport: 'stdio', command: 'a', headers: { 'X-Y': 'z' } }, 'headers'],
  [{}, 'url'],
  [{ transport: 'streamable-http' }, 'url'],
  [{ url: 'u', headers: { Authorization: 'Bearer abc' } }, 'headers.Authorization'],
  [{ url: 'u', headers: { Authorization: 'Bearer ${T:-abc}' } }, 'headers.Authorization'],
  [{ url: 'u', headers: { 'X-Region': '${API_KEY:-abc}' } }, 'headers.X-Region'],
  [{ url: 'u', headers: { 'a b': 'c' } }, 'headers.a b'],
  [{ url: 'u', headers: { A: 'b\nc' } }, 'headers.A'],
])('refused: %j', (given, path) => {
  const { error } = mcpServer.safeParse({ name: 'a', ...given });
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});

test('references within a header', () => {
  const never = (name: string): never => {
    throw new Error(`no ${name}`);
  };
  const lookUp = (name: string) => ({ TOKEN: 't', EMPTY: '' })[name];
  expect(resolveHeader('Bearer ${TOKEN} ${X:-y}', lookUp, never)).toBe('Bearer t y');
  expect(resolveHeader('${EMPTY}', lookUp, never)).toBe('');
  expect(() => resolveHeader('${GONE}', lookUp, never)).toThrow('no GONE');
});
