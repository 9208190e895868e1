import type { Writable } from 'node:stream';
import type { RunEvent, Secrets } from '@vf/run';

/** Writes events as NDJSON: `{"v":1,"seq":7,"time":"…Z","type":…}`, keys in snake_case, secrets masked. */
export function eventWriter(
  out: Writable,
  secrets: Pick<Secrets, 'mask'>,
): (event: RunEvent) => void {
  let seq = 0;
  return ({ type, ...fields }) => {
    const line = JSON.stringify({
      v: 1,
      seq: seq++,
      time: new Date().toISOString(),
      type,
      ...snake(fields),
    });
    out.write(`${secrets.mask(line)}\n`);
  };
}

/** Names that the run gives are renamed; those that users made up (rewards, error codes, stops) stay. */
const madeUp = new Set(['rewards', 'metrics', 'weights', 'errors', 'stops']);

function snake(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]: [string, unknown]) => {
      const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [name, madeUp.has(key) ? value : inner(value)];
    }),
  );
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  return typeof value === 'object' && value !== null ? snake(value) : value;
}
