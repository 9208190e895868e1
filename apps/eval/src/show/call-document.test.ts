import { makeTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import { callDocument } from './call-document.ts';

const trace = makeTrace();
const [first] = trace.calls;
if (first === undefined) throw new Error('a trace of testkit has a call');

test('what users and providers named keeps its name', () => {
  const responseFormat = { schema: { properties: { firstName: {} } } };
  const settings = { ...first.settings, topP: 0.5, responseFormat, extra: { topA: 1 } };
  const named = makeTrace();
  named.calls[0] = { ...first, settings, unknown: { someKey: 1 } };
  expect(callDocument([named], 1)).toMatchObject({
    call: {
      settings: { top_p: 0.5, response_format: responseFormat, extra: { topA: 1 } },
      unknown: { someKey: 1 },
    },
  });
});

test('what a call has in lists stays in lists', () => {
  const told = makeTrace();
  told.calls[0] = { ...first, weights: [{ version: 'step-1', start: 0, end: 3 }] };
  expect(callDocument([told], 1)).toMatchObject({
    call: { weights: [{ version: 'step-1', start: 0, end: 3 }] },
  });
});

test('calls are counted over all traces, and one without a reply has no messages', () => {
  const failed = makeTrace({ id: 'second' });
  failed.calls.push({ ...first, node: null, status: 500 });
  expect(callDocument([trace, failed], 3)).toMatchObject({
    trace: 'second',
    call: { number: 3, node: null, status: 500 },
    nodes: [],
  });
  expect(() => callDocument([trace, failed], 4)).toThrow('the episode has no call 4');
});
