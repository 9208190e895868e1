import type { CallError } from '@vf/core';
import { callErrorOf, isObject } from '@vf/core/dialect';

/** A call that gave no sample to train on; `error` says why, as the agent hears it. */
export class EngineFailed extends Error {
  readonly error: CallError;

  constructor(error: CallError) {
    super(error.message);
    this.name = 'EngineFailed';
    this.error = error;
  }
}

/**
 * The engine sampled something that cannot be trained on exactly. To sample again until it can would train on what is
 * easily told, so the call is final, for the agent too.
 */
export function noSample(message: string): EngineFailed {
  return new EngineFailed({ status: 400, code: 'no_sample', message });
}

/** The engine answered with something else than a sample, whatever the model said. */
export function malformed(message: string): EngineFailed {
  return new EngineFailed({ status: 502, code: 'malformed', message });
}

/** A stream that ended cleanly in the middle of a reply. */
export function brokenOff(engine: string): EngineFailed {
  const message = `${engine} ended its answer in the middle`;
  return new EngineFailed({ status: 502, code: 'cut', message });
}

/** An answer without a sample: the failure that it tells, or what was missed in it. */
export function notSampled(answer: unknown, message: string): EngineFailed {
  if (!isObject(answer) || answer['error'] == null) return malformed(message);
  return new EngineFailed(callErrorOf({ status: 200, headers: [] }, answer));
}

/** What is asked for cannot be done with exact tokens. */
export function refusal(message: string): EngineFailed {
  return new EngineFailed({ status: 400, code: 'invalid', message });
}
