import { describe, expect, test } from 'vitest';
import { intercept } from '../interception/rig.ts';
import { openai } from '../interception/sdk-clients.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';

const sampled = '<think>\nß?\n</think>\n\nSure.<|im_end|>';
const asked = { model: 'policy', messages: [{ role: 'user', content: 'hi' }] } as const;

/** The choice of a reply that the SDK of OpenAI has read. */
async function choiceOf(stream: boolean, more: object) {
  const client = clientOf(scriptedEngine(sampled));
  await using rig = await intercept('http://nowhere.invalid', { client });
  const { completions } = openai(rig).chat;
  const body = { ...asked, messages: [...asked.messages], ...more };
  const { choices } = stream
    ? await completions.stream(body).finalChatCompletion()
    : await completions.create(body);
  return { choice: choices[0], call: rig.trace.calls[0] };
}

describe.each([false, true])('streamed: %s', (stream) => {
  test('an agent that asks for logprobs is told those of all that was sampled [train/told-logprobs]', async () => {
    const { choice, call } = await choiceOf(stream, { logprobs: true });
    const told = choice?.logprobs?.content ?? [];
    expect(Buffer.from(told.flatMap(({ bytes }) => bytes ?? [])).toString()).toBe(sampled);
    expect(told.map(({ logprob }) => logprob)).toEqual(told.map(() => -0.25));
    expect(told.at(-1)?.token).toBe('<|im_end|>');
    expect(choice?.message.content).toBe('Sure.');
    expect(call).toMatchObject({ finish: 'stop', error: null });
  });

  test.each([{}, { logprobs: false }])(
    'one that asks %o is told none [train/told-logprobs]',
    async (more) => {
      expect((await choiceOf(stream, more)).choice?.logprobs ?? null).toBeNull();
    },
  );
});
