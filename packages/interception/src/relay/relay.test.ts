import { describe, expect, test } from 'vitest';
import { joinPath } from './join-url.ts';
import { relayClient } from './relay-client.ts';
import { ReplyBody } from './reply-body.ts';

describe('joinPath', () => {
  test.each([
    ['', '/v1/messages?beta=true', '/v1/messages?beta=true'],
    ['/v1', '/v1/messages', '/v1/messages'],
    ['/api', '/v1/messages', '/api/v1/messages'],
    ['/api/v1', '/v1/chat/completions', '/api/v1/chat/completions'],
    ['/paas/v4', '/v1/chat/completions', '/paas/v4/chat/completions'],
    ['/v1', '/chat/completions', '/v1/chat/completions'],
    ['', '/chat/completions', '/v1/chat/completions'],
    ['', '/messages?beta=true', '/v1/messages?beta=true'],
    ['/anthropic', '/messages', '/anthropic/v1/messages'],
    ['/v1beta/openai', '/chat/completions', '/v1beta/openai/chat/completions'],
    ['/v1beta', '/v1beta/interactions', '/v1beta/interactions'],
  ])('%s and %s make %s', (base, path, joined) => {
    expect(joinPath(base, path)).toBe(joined);
  });
});

test('a base URL that is none is refused', () => {
  expect(() => relayClient({ baseUrl: 'api.example.com', key: null })).toThrow(
    'is no http or https URL',
  );
});

function source(): { readonly log: string[]; abort(): void; pause(): void; resume(): void } {
  const log: string[] = [];
  return {
    log,
    abort: () => log.push('abort'),
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
  };
}

describe('ReplyBody', () => {
  test('what comes in one tick is one chunk', async () => {
    const body = new ReplyBody(source());
    const first = body.next();
    body.push(Buffer.from('a'));
    body.push(Buffer.from('b'));
    expect(await first).toEqual({ done: false, value: Buffer.from('ab') });
    body.push(Buffer.from('c'));
    body.end();
    expect(Buffer.from((await body.next()).value ?? []).toString()).toBe('c');
    expect((await body.next()).done).toBe(true);
  });

  test('a reader that does not pull pauses the source', async () => {
    const { log, ...from } = source();
    const body = new ReplyBody(from);
    body.push(Buffer.alloc(70_000));
    body.push(Buffer.alloc(10));
    expect(log).toEqual(['pause']);
    expect((await body.next()).value).toHaveLength(70_010);
    expect(log).toEqual(['pause', 'resume']);
  });

  test('bytes before a failure come first', async () => {
    const body = new ReplyBody(source());
    body.push(Buffer.from('a'));
    body.fail(new Error('broken'));
    expect((await body.next()).value).toEqual(Buffer.from('a'));
    await expect(body.next()).rejects.toThrow('broken');
  });

  test('a reader that stops aborts the source', async () => {
    const { log, ...from } = source();
    const body = new ReplyBody(from);
    await body.return();
    expect(log).toEqual(['abort']);
    expect((await body.next()).done).toBe(true);
  });
});
