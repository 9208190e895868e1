import { describe, expect, it } from 'vitest';
import { assistant, user } from '../../test/messages.ts';
import type { Message } from '../message.ts';
import { textOf } from '../message.ts';
import { capture } from './capture.ts';
import type { ModelReply, ModelRequest } from './model.ts';

/** A run whose model says these one after another. */
function runOf(...replies: readonly unknown[]) {
  let at = 0;
  const model = async (_request: ModelRequest): Promise<ModelReply> => replies[at++] as ModelReply;
  return capture(model, { task: { type: 'sums', key: 'sum-1' }, agent: { model: 'byte-lm' } });
}

describe('a loop that rewrites the messages it holds [capture/trace]', () => {
  it('leaves what was said as it was said; what it says next is a branch', async () => {
    const run = runOf({ message: assistant('4') }, { message: assistant('5') });
    const question = { role: 'user' as const, content: '2+2?' };
    const messages: Message[] = [question];
    const first = await run.model({ messages });
    messages.push(first.message, user('And one more?'));
    question.content = '(left out)';
    Object.assign(first.message, { content: 'shortened' });
    await run.model({ messages });
    const { graph } = run.trace;
    expect(graph.nodes.map(({ message }) => textOf(message.content ?? ''))).toEqual([
      '2+2?',
      '4',
      '(left out)',
      'shortened',
      'And one more?',
      '5',
    ]);
    expect(graph.nodes.map(({ parent }) => parent)).toEqual([null, 0, null, 2, 3, 4]);
  });
});

it('tells a reply from what the loop was told, also where both are the same objects as before [capture/trace]', async () => {
  const tokens = { promptIds: [1], completionIds: [2], logprobs: [-1] };
  const reply = { message: assistant('a'), told: assistant('a'), tokens };
  const run = runOf(reply, reply);
  await run.model({ messages: [user('1')] });
  Object.assign(reply.told, { content: 'b' });
  await run.model({ messages: [user('2')] });
  const said = run.trace.graph.nodes.filter(({ message }) => message.role === 'assistant');
  expect(said.map(({ message }) => message.content)).toEqual(['a', 'a', 'b']);
});

describe('what fails [capture/errors]', () => {
  it('is recorded at a length that can be read', () => {
    const { traces } = runOf().finish({ error: new Error('x'.repeat(5_000_000)) });
    expect(traces[0]?.errors).toHaveLength(1);
    for (const { message, stack = '' } of traces[0]?.errors ?? []) {
      expect(message.length).toBeLessThan(20_000);
      expect(stack.length).toBeLessThan(40_000);
      expect(stack).toContain('odd-loops.test.ts');
    }
  });

  it.each<[string, (run: ReturnType<typeof runOf>) => unknown]>([
    ['a score', ({ reward }) => reward('late', 1)],
    ['a figure', ({ metric }) => metric('late', 1)],
    ['a fact', ({ note }) => note({ late: true })],
  ])('%s after the end', (_what, act) => {
    const run = runOf();
    run.finish();
    expect(() => act(run)).toThrow('is finished');
    expect(run.trace.rewards).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'no message of the assistant'],
    ['a stream', (async function* () {})(), 'no message of the assistant'],
    ['ids that are not there', { message: assistant('x'), tokens: { promptIds: [1] } }, 'missing'],
    [
      'a logprob that is text',
      {
        message: assistant('x'),
        tokens: { promptIds: [1], completionIds: [2], logprobs: ['-1'] },
      },
      'a logprob is no number',
    ],
  ])('a reply that is %s, by name', async (_what, reply, words) => {
    const run = runOf(reply);
    const error = await run.model({ messages: [user('Hi')] }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'provider/malformed',
      message: expect.stringContaining(words),
    });
    expect(run.trace.calls).toMatchObject([{ node: null, error: { code: 'malformed' } }]);
  });

  it('a request without messages, before the model is asked', async () => {
    const run = runOf();
    await expect(run.model({} as ModelRequest)).rejects.toMatchObject({ code: 'usage/invalid' });
    expect(run.trace.calls).toEqual([]);
  });
});
