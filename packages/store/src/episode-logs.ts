import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@vf/core';

type Level = keyof Log;

/** One log file per episode, made with its first line. Lines wait in memory until `flush`. */
export class EpisodeLogs {
  readonly #dir: string;
  readonly #mask: (text: string) => string;
  readonly #written: () => void;
  #lines = new Map<string, string>();

  /** @param written called after each line, to have it flushed */
  constructor(dir: string, mask: (text: string) => string, written: () => void) {
    this.#dir = dir;
    this.#mask = mask;
    this.#written = written;
  }

  of(episode: string): Log {
    const at =
      (level: Level) =>
      (message: string, fields?: Readonly<Record<string, unknown>>): void =>
        this.#add(episode, level, message, fields);
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }

  async flush(): Promise<void> {
    const lines = this.#lines;
    if (lines.size === 0) return;
    this.#lines = new Map();
    await mkdir(this.#dir, { recursive: true });
    for (const [episode, text] of lines) await appendFile(join(this.#dir, fileName(episode)), text);
  }

  #add(
    episode: string,
    level: Level,
    message: string,
    fields?: Readonly<Record<string, unknown>>,
  ): void {
    const details = fields === undefined ? '' : ` ${textOf(fields)}`;
    const line = this.#mask(`${new Date().toISOString()} ${level} ${message}${details}`);
    this.#lines.set(episode, `${this.#lines.get(episode) ?? ''}${line}\n`);
    this.#written();
  }
}

function fileName(episode: string): string {
  return `${episode.replaceAll(/[^\w.-]/g, '-')}.log`;
}

/** A log line is not worth an exception: what JSON cannot hold becomes its name. */
function textOf(fields: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(fields, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  } catch {
    return Object.keys(fields).join(' ');
  }
}
