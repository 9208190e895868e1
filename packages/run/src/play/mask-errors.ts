import type { Episode, TraceError } from '@vf/core';
import type { Secrets } from '../secrets.ts';

/** Secrets that a program or a provider printed do not get into the record by way of an error message. */
export function maskErrors(episode: Episode, secrets: Secrets): Episode {
  for (const trace of episode.traces)
    trace.errors.splice(
      0,
      trace.errors.length,
      ...trace.errors.map((error) => masked(error, secrets)),
    );
  return { ...episode, errors: episode.errors.map((error) => masked(error, secrets)) };
}

function masked(error: TraceError, secrets: Secrets): TraceError {
  const stack = error.stack === undefined ? {} : { stack: secrets.mask(error.stack) };
  return { ...error, message: secrets.mask(error.message), ...stack };
}
