import type { Log } from '@vf/core';
import { mask } from '../masking.ts';

/** What a server has to say, a line of JSON each on stderr; secrets are masked. */
export function serveLog(isVerbose: boolean): Log {
  const line =
    (level: string, isShown: boolean): Log['info'] =>
    (message, fields) => {
      if (!isShown) return;
      const time = new Date().toISOString();
      const text = JSON.stringify({ time, level, message, ...fields });
      process.stderr.write(mask(`${text}\n`));
    };
  return {
    debug: line('debug', isVerbose),
    info: line('info', isVerbose),
    warn: line('warn', true),
    error: line('error', true),
  };
}
