import { wireOf } from '@vf/testkit/conformance';
import messages from '../src/index.ts';

export const { readStream, readPlain, readText, write, writerOptions } = wireOf(messages);

export const started = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'm', usage: { input_tokens: 10, output_tokens: 1 } },
};

export const stopped = { type: 'message_stop' };

export function ended(stop: object, usage: unknown = { output_tokens: 5 }): unknown {
  return { type: 'message_delta', delta: stop, usage };
}

/** The events of one block with its deltas. */
export function block(index: number, start: object, ...deltas: object[]): readonly unknown[] {
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** A whole stream of blocks. */
export function streamOf(...blocks: (readonly unknown[])[]): readonly unknown[] {
  return [started, ...blocks.flat(), ended({ stop_reason: 'end_turn' }), stopped];
}
