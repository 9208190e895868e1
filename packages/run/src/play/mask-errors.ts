import type { Episode, TraceError } from '@vf/core';
import type { Secrets } from '../secrets.ts';

/** Secrets that a program or a provider printed do not get into the record by way of an error message or of `info`. */
export function maskErrors(episode: Episode, secrets: Secrets): Episode {
  for (const trace of episode.traces) {
    trace.errors.splice(
      0,
      trace.errors.length,
      ...trace.errors.map((error) => masked(error, secrets)),
    );
    for (const [key, value] of Object.entries(trace.info))
      trace.info[key] = maskedValue(value, secrets);
  }
  return { ...episode, errors: episode.errors.map((error) => masked(error, secrets)) };
}

function masked(error: TraceError, secrets: Secrets): TraceError {
  const stack = error.stack === undefined ? {} : { stack: secrets.mask(error.stack) };
  return { ...error, message: secrets.mask(error.message), ...stack };
}

/** A JSON value with all texts in it masked. */
function maskedValue(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return secrets.mask(value);
  if (Array.isArray(value)) return value.map((item: unknown) => maskedValue(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskedValue(item, secrets)]),
  );
}
