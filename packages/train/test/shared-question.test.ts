import { SendFailed } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { SharedQuestion } from '../src/shared-question.ts';

/** A question that is answered when the test says so. */
function held() {
  const asked: { answer(length: number): void; fail(error: Error): void; signal: AbortSignal }[] =
    [];
  const context = new SharedQuestion<number>(
    (signal) =>
      new Promise((answer, fail) => {
        asked.push({ answer, fail, signal });
      }),
  );
  return { asked, context };
}

const never = new AbortController().signal;

test('it is asked once for all who wait, and remembered [train/context-length]', async () => {
  const { asked, context } = held();
  const both = Promise.all([context.ask(never), context.ask(never)]);
  asked[0]?.answer(2048);
  expect(await both).toEqual([2048, 2048]);
  expect(await context.ask(never)).toBe(2048);
  expect(asked).toHaveLength(1);
});

test('one who gives up takes nobody along [train/context-length]', async () => {
  const { asked, context } = held();
  const stop = new AbortController();
  const first = context.ask(stop.signal);
  const second = context.ask(never);
  stop.abort(new Error('cancelled'));
  await expect(first).rejects.toMatchObject({ code: 'aborted' });
  expect(asked[0]?.signal.aborted).toBe(false);
  asked[0]?.answer(2048);
  expect(await second).toBe(2048);
});

test('when all have given up, the question ends, and the next one asks again [train/context-length]', async () => {
  const { asked, context } = held();
  const stop = new AbortController();
  const given = Promise.allSettled([context.ask(stop.signal), context.ask(stop.signal)]);
  stop.abort();
  const [first] = await given;
  expect(first.status === 'rejected' && SendFailed.isInstance(first.reason)).toBe(true);
  expect(asked[0]?.signal.aborted).toBe(true);
  const next = context.ask(never);
  asked[1]?.answer(1024);
  expect(await next).toBe(1024);
});

test('what failed is asked again [train/context-length]', async () => {
  const { asked, context } = held();
  const failed = context.ask(never);
  asked[0]?.fail(new SendFailed('reset', 'gone'));
  await expect(failed).rejects.toMatchObject({ code: 'reset' });
  const next = context.ask(never);
  asked[1]?.answer(1024);
  expect(await next).toBe(1024);
});
