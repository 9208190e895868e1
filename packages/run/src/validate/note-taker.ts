import type { Log } from '@vf/core';

/** A log that keeps what is warned of, in words and each once. */
export class NoteTaker {
  readonly #notes = new Set<string>();
  readonly log: Log;

  constructor() {
    const keep: Log['warn'] = (message, fields = {}) =>
      void this.#notes.add(inWords(message, fields));
    this.log = { debug: () => undefined, info: () => undefined, warn: keep, error: keep };
  }

  get all(): string[] {
    return [...this.#notes];
  }
}

const mostLines = 8;

/** `message: name value, name value`, and below it the end of what a program printed. */
function inWords(message: string, fields: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(fields).filter(([name]) => name !== 'task');
  const texts = entries.filter(([, value]) => isLong(value)).map(([, value]) => String(value));
  const short = entries
    .filter(([, value]) => !isLong(value) && value !== '')
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : shown(value)}`);
  const lines = texts.flatMap((text) => text.trimEnd().split('\n').slice(-mostLines));
  return [
    short.length === 0 ? message : `${message}: ${short.join(', ')}`,
    ...lines.map((line) => `    | ${line.slice(0, 300)}`),
  ].join('\n');
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && (value.includes('\n') || value.length > 60);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
