import { wireOf } from '@vf/testkit/conformance';
import chat from '../src/index.ts';

export const { readStream, readPlain, readText, write, writerOptions } = wireOf(chat);

/** A chunk with one delta. */
export function chunk(delta: unknown, finish: string | null = null): unknown {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

/** A chunk with fragments of tool calls. */
export function calls(...fragments: unknown[]): unknown {
  return chunk({ tool_calls: fragments });
}
