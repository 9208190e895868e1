import type { RunPlan } from '@vf/run';
import { linesScreen } from './lines-screen.ts';
import { liveScreen } from './live-screen.ts';
import { asName } from './one-line.ts';
import type { RunHead, Screen } from './screen.ts';

export type Display = 'live' | 'lines' | 'quiet';

const everyMs = 30_000;

/** A live view, lines, or nothing. */
export function startScreen(head: RunHead, display: Display): Screen {
  const write = (text: string): void => {
    process.stderr.write(text);
  };
  if (display === 'live') return liveScreen(head, process.stderr);
  if (display === 'lines') return linesScreen({ ...head, everyMs }, write);
  const ignore = (): void => undefined;
  return { event: ignore, watch: ignore, stop: ignore, say: (text) => write(`${text}\n`) };
}

/** What was asked for, else live on a terminal that can be painted on; VF_DISPLAY comes after flags and files. */
export function chooseDisplay(
  wanted: unknown,
  env: NodeJS.ProcessEnv = process.env,
  isTerminal: boolean = process.stderr.isTTY,
): Display {
  const asked = [wanted, env['VF_DISPLAY']].find(isDisplay);
  if (asked !== undefined) return asked;
  const isCi = env['CI'] !== undefined && env['CI'] !== '' && env['CI'] !== 'false';
  return isTerminal && env['TERM'] !== 'dumb' && !isCi ? 'live' : 'lines';
}

function isDisplay(value: unknown): value is Display {
  return value === 'live' || value === 'lines' || value === 'quiet';
}

/** `swe · gpt-5.2 · codex 0.171.0 · docker`. */
export function runTitle(plan: RunPlan): string {
  const roles = Object.values(plan.episode.roles);
  const models = [...new Set(roles.map(({ model }) => model))];
  const agents = [
    ...new Set(
      roles.map(({ harness }) =>
        harness.version === null ? harness.id : `${harness.id} ${harness.version}`,
      ),
    ),
  ];
  const runtimes = [...new Set(roles.map(({ runtime }) => runtime.id))];
  const parts = [
    plan.episode.taskset.name,
    ...[models, agents, runtimes].map((names) => names.join(', ')),
  ];
  return asName(parts.join(' · '));
}
