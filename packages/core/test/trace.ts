import type { ModelCall } from '../src/trace/model-call.ts';
import { Trace } from '../src/trace/trace.ts';

/** A trace with nothing in it yet. */
export function emptyTrace(id = 't1'): Trace {
  return new Trace({
    id,
    task: { type: 'sums', key: 'k', hash: 'h', data: { prompt: 'What is 1 + 1?', answer: 2 } },
    agent: {
      name: 'agent',
      trainable: true,
      model: 'm',
      harness: { id: 'null', version: null, config: {} },
      runtime: { id: 'subprocess', config: {} },
      sampling: {},
      limits: {},
    },
    start: 100,
  });
}

/** A call that went well and says as little as a call can. */
export function modelCall(fields: Partial<ModelCall> = {}): ModelCall {
  return {
    node: null,
    dialect: 'chat-completions',
    endpoint: '/v1/chat/completions',
    requestedModel: 'm',
    model: 'm',
    settings: { model: 'm', stream: false },
    finish: 'stop',
    rawFinish: 'stop',
    usage: null,
    cost: null,
    status: 200,
    attempt: 1,
    start: 101,
    end: 102,
    firstByte: null,
    error: null,
    ...fields,
  };
}
