import type { CallError, ModelCall } from '@vf/core';
import { expect, test } from 'vitest';
import { judgeSegment } from '../src/outcome.ts';

const settings = { model: 'm', stream: false };

function callOf(start: number, error: CallError | null): ModelCall {
  return {
    dialect: 'chat-completions',
    endpoint: '/v1/chat/completions',
    requestedModel: 'm',
    model: 'm',
    settings,
    attempt: 1,
    start,
    end: start + 1,
    firstByte: null,
    node: error === null ? 1 : null,
    finish: null,
    rawFinish: null,
    usage: null,
    cost: null,
    status: error?.status ?? 200,
    error,
  };
}

const down: CallError = { status: 500, code: 'provider', message: 'down' };
const failed = { status: 'failed', detail: 'the model said nothing' } as const;

function codeOf(calls: readonly ModelCall[]): string | null {
  const outcome = judgeSegment({
    segment: failed,
    calls,
    stopped: null,
    harness: 'h',
    callsModel: true,
    hasAsked: true,
    hasReplied: true,
  });
  return 'error' in outcome ? outcome.error.code : null;
}

test('what an agent heard last is why it failed, though a call that it gave up ended later', () => {
  const givenUp = callOf(1, null);
  expect(codeOf([callOf(2, down), givenUp])).toBe('provider/server_error');
  expect(codeOf([callOf(2, down), callOf(3, null)])).toBe('harness/failed');
  const aborted = { status: 0, code: 'aborted', message: 'the agent went away' } as const;
  expect(codeOf([givenUp, callOf(2, aborted)])).toBe('cancelled');
});
