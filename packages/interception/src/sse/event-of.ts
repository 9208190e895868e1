import type { SseEvent } from '@vf/core';

/** Reads the lines of one event; null when it has no data and so dispatches nothing. */
export function eventOf(bytes: Buffer): SseEvent | null {
  let name: string | null = null;
  let data: string | null = null;
  for (const line of bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field !== 'data' && field !== 'event') continue;
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') name = value === '' ? null : value;
    else data = data === null ? value : `${data}\n${value}`;
  }
  return data === null ? null : { name, data };
}
