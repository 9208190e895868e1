import type { Finish } from '@vf/core';

/** What providers and engines say beside the four words of the format. */
const spellings: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  tool_use: 'tool_calls',
  content_filter: 'content_filter',
  sensitive: 'content_filter',
  safety: 'content_filter',
};

/** Calls count more than the word `stop`; an unknown or missing word means `stop`. */
export function finishOf(raw: string | null, hasCalls: boolean): Finish {
  const finish = (raw === null ? undefined : spellings[raw.toLowerCase()]) ?? 'stop';
  return finish === 'stop' && hasCalls ? 'tool_calls' : finish;
}

/** The word to write: the provider's own where it means the same here. */
export function writeFinish(finish: Finish | null, raw: string | null, hasCalls: boolean): string {
  const known = raw !== null && Object.hasOwn(spellings, raw.toLowerCase());
  if (known && finishOf(raw, hasCalls) === finish) return raw;
  return finish ?? finishOf(null, hasCalls);
}
