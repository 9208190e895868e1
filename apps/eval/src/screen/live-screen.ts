import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import {
  formatBig,
  formatCost,
  formatCount,
  formatPercent,
  formatScore,
  formatSeconds,
} from './format.ts';
import { linesScreen } from './lines-screen.ts';
import { runTitle } from './screen.ts';
import type { Screen, ScreenOptions, Snapshot } from './screen.ts';

const paintMs = 250;
const clearDown = '\u001b[0J';

/** At most twelve rows, repainted in place; log lines go above them. */
export function liveScreen(options: ScreenOptions, out: WriteStream): Screen {
  let painted = 0;
  let timer: NodeJS.Timeout | null = null;
  let snapshot: (() => Snapshot) | null = null;
  const erase = (): string => (painted === 0 ? '' : `\r\u001b[${painted}A${clearDown}`);
  const paint = (above = ''): void => {
    const rows = snapshot === null ? [] : liveRows(options, snapshot(), out.columns || 80);
    out.write(`${erase()}${above}${rows.map((row) => `${row}\n`).join('')}`);
    painted = rows.length;
  };
  const lines = linesScreen(options, paint);
  return {
    event: (event) => lines.event(event),
    watch(source) {
      snapshot = source;
      timer = setInterval(paint, paintMs);
      timer.unref();
    },
    stop() {
      if (timer === null) return;
      clearInterval(timer);
      timer = null;
      out.write(erase());
      painted = 0;
    },
  };
}

function liveRows(
  { plan, run, dir }: ScreenOptions,
  { progress, slowest }: Snapshot,
  columns: number,
): string[] {
  const { done, total, reward, rewardInterval, unscored, retried, phases, errors } = progress;
  const share = total === 0 ? 0 : done / total;
  const bar = `${'█'.repeat(Math.round(share * 32))}${'░'.repeat(32 - Math.round(share * 32))}`;
  const eta =
    progress.etaSeconds === null ? '' : `about ${formatSeconds(progress.etaSeconds)} left`;
  const interval = rewardInterval === null ? '' : ` ± ${rewardInterval.toFixed(3)}`;
  const atOnce = Object.values(phases).reduce((sum, n) => sum + n, 0);
  const budget =
    plan.config.budget.cost === null ? '' : ` of ${formatCost(plan.config.budget.cost)}`;
  const cached =
    progress.cachedInputTokens === 0
      ? ''
      : ` (${formatPercent(progress.cachedInputTokens, progress.inputTokens)} cached)`;
  const rows = [
    `${runTitle(plan)}     ${run.name ?? run.id}   ${formatSeconds(progress.elapsedSeconds)}`,
    `  ${formatCount(done)} of ${formatCount(total)}  ${bar}  ${formatPercent(done, total)}    ${eta}`,
    `  reward ${formatScore(reward)}${interval}    unscored ${formatCount(unscored)}    retried ${formatCount(retried)}`,
    `  boot ${phases.boot}   setup ${phases.setup}   agent ${phases.agent}   backing off ${phases['backing-off']}   score ${phases.finalize + phases.scoring}    ${atOnce} at once`,
    `  tokens ${formatBig(progress.inputTokens)} in${cached}   ${formatBig(progress.outputTokens)} out    ${formatCost(progress.cost)}${budget}, unpriced ${formatCount(progress.unpriced)}`,
    ...slowest.map(
      ({ name, phase, turns, since }, i) =>
        `  ${i === 0 ? 'slowest' : '       '}  ${name.padEnd(24)} ${phase.padEnd(11)} turn ${turns}   ${formatSeconds((Date.now() - since) / 1000)}`,
    ),
    ...(Object.keys(errors).length === 0
      ? []
      : [
          `  errors   ${Object.entries(errors)
            .map(([code, n]) => `${code} ${n}`)
            .join('   ')}`,
        ]),
    `  ${dir}        Ctrl-C stops cleanly`,
  ];
  return rows.map((row) => cut(stripVTControlCharacters(row), columns - 1));
}

function cut(row: string, width: number): string {
  return row.length <= width ? row : `${row.slice(0, width - 1)}…`;
}
