import type { Finish } from '@vf/core';

/** `null`: the reply is not final, the agent sends it back to have it continued. */
const reasons: Readonly<Record<string, Finish | null>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
  pause_turn: null,
  compaction: null,
};

const written: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Calls count more than a plain end; an unknown or missing reason means `stop`. */
export function finishOf(raw: string | null, hasCalls: boolean): Finish | null {
  const finish = raw !== null && Object.hasOwn(reasons, raw) ? (reasons[raw] ?? null) : 'stop';
  return finish === 'stop' && hasCalls ? 'tool_calls' : finish;
}

/** The reason to write: the provider's own where it means the same here. */
export function writeFinish(finish: Finish | null, raw: string | null, hasCalls: boolean): string {
  if (raw !== null && Object.hasOwn(reasons, raw) && finishOf(raw, hasCalls) === finish) return raw;
  return written[finish ?? (hasCalls ? 'tool_calls' : 'stop')];
}
