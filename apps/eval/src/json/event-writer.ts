import type { Writable } from 'node:stream';
import type { RunEvent, Secrets } from '@vf/run';
import { snake } from './snake.ts';

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
