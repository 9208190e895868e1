import { setTimeout as sleep } from 'node:timers/promises';
import { isLive } from '@vf/store';
import { formatCount, formatScore } from '../screen/format.ts';
import { loadSummary } from './load-summary.ts';

const everyMs = 2_000;

/** Says on stderr what changes in a run, until no process writes it any more. Reads the index alone. */
export async function follow(dir: string): Promise<void> {
  let said = '';
  while (await isLive(dir)) {
    const { figures, planned, errors } = await loadSummary(dir);
    const line = [
      `${formatCount(figures.rollouts)} of ${formatCount(planned.rollouts)}`,
      `reward ${formatScore(figures.reward.mean)}`,
      `unscored ${formatCount(figures.unscored)}`,
      ...Object.entries(errors).map(([code, n]) => `${code} ${formatCount(n)}`),
    ].join('   ');
    if (line !== said) process.stderr.write(`${line}\n`);
    said = line;
    await sleep(everyMs);
  }
}
