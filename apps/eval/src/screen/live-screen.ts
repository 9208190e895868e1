import type { WriteStream } from 'node:tty';
import { linesScreen } from './lines-screen.ts';
import { liveRows } from './live-rows.ts';
import type { LastError } from './live-rows.ts';
import { messageLines } from './message-lines.ts';
import { cellsOf } from './cells.ts';
import type { RunHead, Screen, Snapshot } from './screen.ts';

const paintMs = 250;
const escape = '\u001b[';
const clearLine = `${escape}K`;
const clearDown = `${escape}0J`;
/** The terminal shows what comes between at once, and cuts rows instead of wrapping them. */
const begin = `${escape}?2026h${escape}?7l`;
const end = `${escape}?7h${escape}?2026l`;

/** What of a terminal is used. */
export type Terminal = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'columns' | 'rows'>>;

/** Repaints a few rows in place, over the old ones; log lines go above them. */
export function liveScreen(head: RunHead, out: Terminal): Screen {
  let painted: readonly string[] = [];
  let timer: NodeJS.Timeout | null = null;
  let snapshot: (() => Snapshot) | null = null;
  let lastError: LastError | null = null;
  const columns = (): number => out.columns || 80;
  const upwards = (): string => {
    // A terminal made narrower has wrapped what stood there.
    const height = painted.reduce(
      (sum, row) => sum + Math.max(1, Math.ceil(cellsOf(row) / columns())),
      0,
    );
    return height === 0 ? '' : `\r${escape}${height}A`;
  };
  const paint = (above = ''): void => {
    const options = { columns: columns(), now: Date.now(), lastError };
    const rows =
      snapshot === null
        ? []
        : liveRows(head, snapshot(), options).slice(0, Math.max(1, (out.rows || 24) - 1));
    const log = above === '' ? '' : `${clearDown}${above}`;
    out.write(
      `${begin}${upwards()}${log}${rows.map((row) => `${row}${clearLine}\n`).join('')}${clearDown}${end}`,
    );
    painted = rows;
  };
  const lines = linesScreen({ ...head, everyMs: null }, (text) => paint(text));
  return {
    event(event) {
      if (event.type === 'rollout.finished' && event.error !== null)
        lastError = { at: Date.now(), said: messageLines(event.error.message, 3).at(-1) ?? '' };
      lines.event(event);
    },
    say: (text) => lines.say(text),
    watch(source) {
      snapshot = source;
      timer = setInterval(paint, paintMs);
      timer.unref();
      paint();
    },
    stop() {
      if (timer === null) return;
      clearInterval(timer);
      timer = null;
      snapshot = null;
      out.write(`${upwards()}${clearDown}`);
      painted = [];
    },
  };
}
