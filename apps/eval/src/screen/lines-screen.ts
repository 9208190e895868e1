import type { RunEvent } from '@vf/run';
import { formatCount, formatRoughly, formatScore, formatSeconds, placeText } from './format.ts';
import { messageLines, quoted } from './message-lines.ts';
import { asName, visible } from './one-line.ts';
import type { RunHead, Screen, Snapshot } from './screen.ts';

/** `everyMs`: least time between two lines of progress; null for none. */
export interface LinesOptions extends RunHead {
  readonly everyMs: number | null;
}

/** A line when something changes; each error code once, then counted. */
export function linesScreen(options: LinesOptions, write: (text: string) => void): Screen {
  const { title, dir, everyMs, isVerbose } = options;
  const seen = new Set<string>();
  let snapshot: (() => Snapshot) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let lastLine = '';
  let unchanged = 0;
  const say = (text: string): void => write(`${text}\n`);
  const report = (): void => {
    if (snapshot === null) return;
    const now = snapshot();
    const line = progressLine(now);
    unchanged = line === lastLine ? unchanged + 1 : 0;
    if (unchanged === 0) say(line);
    else if (isTimeToTell(unchanged)) sayWaiting(now, unchanged);
    lastLine = line;
  };
  const sayWaiting = ({ waiting }: Snapshot, reports: number): void => {
    if (waiting === undefined || waiting.since === null) return;
    const [silent, longest] = [reports * (everyMs ?? 0), Date.now() - waiting.since];
    const calls = waiting.calls === 1 ? '1 call waits' : `${formatCount(waiting.calls)} calls wait`;
    say(
      `nothing new for ${formatRoughly(silent / 1000)}: ${calls} for the model, ${waiting.calls === 1 ? '' : 'the longest '}for ${formatSeconds(longest / 1000)}`,
    );
  };
  const once = (key: string, line: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    say(line);
  };
  return {
    event(event) {
      if (event.type === 'run.started') say(startLine(title, dir, event.done));
      if (event.type === 'warning') say(`warning: ${visible(event.message)}   [${event.code}]`);
      if (event.type === 'rollout.retry')
        once(`retry ${event.code}`, `retrying after ${event.code}; further ones are only counted`);
      if (event.type === 'rollout.finished' && event.error !== null)
        once(event.error.code, failureLine(event));
      if (event.type === 'rollout.finished' && isVerbose) say(finishedLine(event));
    },
    say,
    watch(source) {
      snapshot = source;
      if (everyMs === null) return;
      timer = setInterval(report, everyMs);
      timer.unref();
    },
    stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}

/** Twice, four, eight … reports without news: a slow run should not fill a log. */
function isTimeToTell(reports: number): boolean {
  return reports >= 2 && Number.isInteger(Math.log2(reports));
}

/** Of a failure, among the lines of progress. */
const shownLines = 8;

type Finished = RunEvent & { type: 'rollout.finished' };

function startLine(title: string, dir: string, done: number): string {
  return `${title}   ${dir}${done > 0 ? `   ${formatCount(done)} done before` : ''}`;
}

function failureLine({ task, attempt, error }: Finished): string {
  const [first, ...rest] = messageLines(error?.message ?? '', shownLines);
  const what = `${asName(task)}:${attempt} has no score: ${first}${placeText(error?.at)}   [${error?.code}]`;
  return [what, ...quoted(rest, '    ')].join('\n');
}

function finishedLine({ task, attempt, reward, stop, error, timing }: Finished): string {
  const seconds = formatSeconds(Math.max(0, timing.end - timing.start));
  return `${asName(task)}:${attempt}   ${formatScore(reward)}   ${asName(error?.code ?? stop ?? '')}   ${seconds}`;
}

/** One line of progress. */
function progressLine({ progress }: Snapshot): string {
  const { done, total, reward, unscored, phases, errors } = progress;
  const busy = Object.entries(phases).flatMap(([phase, n]) => (n === 0 ? [] : [`${phase} ${n}`]));
  const failed = Object.entries(errors).map(([code, n]) => `${code} ${formatCount(n)}`);
  return [
    `${formatCount(done)} of ${formatCount(total)}`,
    `reward ${formatScore(reward)}`,
    `unscored ${formatCount(unscored)}`,
    ...busy,
    ...failed,
  ].join('   ');
}
