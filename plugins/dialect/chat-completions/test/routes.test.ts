import { describe, expect, it } from 'vitest';
import chat from '../src/index.ts';

const kind = (method: string, path: string) =>
  chat.routes.find((route) => route.method === method && route.path.test(path))?.kind;

describe('routes', () => {
  it.each([
    ['POST', '/v1/chat/completions', 'turn'],
    ['POST', '/chat/completions', 'turn'],
    ['POST', '/r/1/v1/chat/completions', 'turn'],
    ['GET', '/v1/models', 'models'],
    ['GET', '/v1/models/m-1', 'models'],
    ['GET', '/v1/chat/completions', 'refused'],
    ['GET', '/v1/chat/completions/chatcmpl-1/messages', 'refused'],
    ['DELETE', '/v1/chat/completions/chatcmpl-1', 'refused'],
    ['POST', '/v1/completions', 'refused'],
    ['POST', '/v1/embeddings', 'refused'],
    ['POST', '/v1/chat/completions/render/x', 'refused'],
    ['POST', '/v1/responses', undefined],
  ])('[chat/routes] %s %s is %s', (method, path, expected) => {
    expect(kind(method, path)).toBe(expected);
  });

  it('[chat/secret] is the bearer', () => {
    const url = new URL('http://host/v1');
    expect(chat.secret(['Authorization', 'Bearer s'], url)).toEqual({
      value: 's',
      header: 'authorization',
    });
    expect(chat.secret(['authorization', 'Basic s'], url)).toBeNull();
    expect(chat.authorize('k')).toEqual(['authorization', 'Bearer k']);
  });
});
