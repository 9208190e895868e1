import { comment, deliver, instant, ping, say, startScriptedModel, think } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { dialects, intercept, requestOf } from './rig.ts';

const steps = [
  think('Hm. é'),
  comment('provider comment'),
  say('Grüezi, 😀 world', { pieces: 7 }),
  ping(),
];

async function bytesOf(url: string, path: string, body: string, key: string): Promise<Buffer> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
    'x-api-key': key,
  };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe.each(dialects.map(({ id }) => id))('%s', (id) => {
  test.each([true, false])(
    '[wire/bytes-stream] what the agent gets is what the provider sent (stream: %s)',
    async (stream) => {
      await using model = await startScriptedModel({ script: instant(steps) });
      await using rig = await intercept(model.url);
      const { path, body } = requestOf(id, stream);
      const relayed = await bytesOf(rig.url, path, body, rig.bearer);
      expect(relayed.toString()).toBe((await bytesOf(model.url, path, body, 'any')).toString());
      expect(rig.trace.lastReply).toBe('Grüezi, 😀 world');
    },
  );

  test.each(['\n', '\r\n', '\r'] as const)(
    '[wire/sse-lines] [wire/sse-split] line ends %j, cut anywhere',
    async (newline) => {
      const delivery = deliver({ newline, chunkBytes: 7, byteOrderMark: true });
      await using model = await startScriptedModel({ script: instant([...steps, delivery]) });
      await using rig = await intercept(model.url);
      const { path, body } = requestOf(id, true);
      const relayed = await bytesOf(rig.url, path, body, rig.bearer);
      expect(relayed.toString()).toBe((await bytesOf(model.url, path, body, 'any')).toString());
      expect(rig.trace.lastReply).toBe('Grüezi, 😀 world');
    },
  );

  test('[wire/bytes-request] what the provider gets is what the agent sent', async () => {
    await using model = await startScriptedModel({ script: instant(steps) });
    await using rig = await intercept(model.url);
    const { path, body } = requestOf(id, true);
    const odd = body.replace('{', '{ "unknown" : [1.0, 12345678901234567890],\n');
    await bytesOf(rig.url, path, odd, rig.bearer);
    expect(model.turns[0]?.body.toString()).toBe(odd);
  });
});
