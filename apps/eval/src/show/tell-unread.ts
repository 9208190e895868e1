import { unreadLines } from '@vf/store';
import { mask } from '../masking.ts';
import { asName } from '../screen/one-line.ts';
import { typedRun } from '../typed.ts';
import { loadAbout, runName } from './load-summary.ts';

/** Says on stderr which lines of a run hold no episode, so that fewer episodes than were played do not look whole. */
export async function tellUnread(dir: string): Promise<void> {
  const problems = await unreadLines(dir);
  if (problems.length === 0) return;
  const told = problems.map(({ file, message }) => `vf: ${asName(`${file}: ${message}`)}\n`);
  const { elsewhere = false } = await loadAbout(dir);
  const again = elsewhere
    ? 'the program that played it plays it again, into a new folder'
    : `vf resume ${typedRun(dir, await runName(dir))} plays what is missing again`;
  const fix = `  fix: ${again}\n`;
  process.stderr.write(mask(`${told.join('')}${fix}`));
}
