import type { SetupResult } from '@vf/core';
import { VfError } from '@vf/core/errors';

/** What a setup hook gave, as the trace can hold it. @throws VfError taskset/setup_failed */
export function checkSetup(result: SetupResult): SetupResult {
  if (typeof result !== 'object') throw wrong('an object or nothing', result);
  const { prompt, systemPrompt } = result;
  if (prompt !== undefined && typeof prompt !== 'string' && !Array.isArray(prompt))
    throw wrong('text or a list of messages as prompt', prompt);
  if (systemPrompt !== undefined && typeof systemPrompt !== 'string')
    throw wrong('text as systemPrompt', systemPrompt);
  return result;
}

function wrong(expected: string, value: unknown): VfError {
  return new VfError('taskset/setup_failed', `setup must give ${expected}, not ${typeof value}`, {
    hint: 'mend the setup hook of the taskset',
  });
}
