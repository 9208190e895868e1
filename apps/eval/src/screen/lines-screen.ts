import type { RunEvent } from '@vf/run';
import { formatScore } from './format.ts';
import { runTitle } from './screen.ts';
import type { Screen, ScreenOptions, Snapshot } from './screen.ts';

const everyMs = 30_000;

/** A line when something changes, at most every 30 s; each error code once, then counted. */
export function linesScreen({ plan, dir }: ScreenOptions, write: (text: string) => void): Screen {
  const seen = new Set<string>();
  let snapshot: (() => Snapshot) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let lastLine = '';
  const say = (text: string): void => write(`${text}\n`);
  const report = (): void => {
    const line = snapshot === null ? '' : progressLine(snapshot());
    if (line !== lastLine && line !== '') say(line);
    lastLine = line;
  };
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'run.started')
      say(`${runTitle(plan)}   ${dir}${event.done > 0 ? `   ${event.done} done before` : ''}`);
    if (event.type === 'warning') say(`warning: ${event.message}   [${event.code}]`);
    if (event.type === 'rollout.retry')
      once(`retry ${event.code}`, `retrying after ${event.code} (further ones are only counted)`);
    if (event.type === 'rollout.finished' && event.error !== null)
      once(
        event.error.code,
        `${event.task}:${event.attempt} has no score: ${firstLine(event.error.message)}   [${event.error.code}]`,
      );
  };
  const once = (key: string, line: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    say(line);
  };
  return {
    event: onEvent,
    watch(source) {
      snapshot = source;
      timer = setInterval(report, everyMs);
      timer.unref();
    },
    stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}

function progressLine({ progress }: Snapshot): string {
  const { done, total, reward, unscored, phases, errors } = progress;
  const busy = Object.entries(phases).flatMap(([phase, n]) => (n === 0 ? [] : [`${phase} ${n}`]));
  const failed = Object.entries(errors).map(([code, n]) => `${code} ${n}`);
  return [
    `${done} of ${total}`,
    `reward ${formatScore(reward)}`,
    `unscored ${unscored}`,
    ...busy,
    ...failed,
  ].join('   ');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
