import type { OpenedRun, Progress, RunEvent, RunPlan, Underway } from '@vf/run';
import { linesScreen } from './lines-screen.ts';
import { liveScreen } from './live-screen.ts';

export interface Snapshot {
  readonly progress: Progress;
  readonly slowest: readonly Underway[];
}

export interface Screen {
  event(event: RunEvent): void;
  /** Where the figures come from; asked at most four times a second. */
  watch(snapshot: () => Snapshot): void;
  stop(): void;
}

export interface ScreenOptions {
  readonly plan: RunPlan;
  readonly run: OpenedRun['run'];
  readonly dir: string;
  readonly isQuiet: boolean;
}

/** A live view on a terminal, lines elsewhere, or nothing; VF_DISPLAY (live, lines, quiet) decides otherwise. */
export function startScreen(options: ScreenOptions): Screen {
  const wanted = options.isQuiet
    ? 'quiet'
    : (process.env['VF_DISPLAY'] ??
      (process.stderr.isTTY && process.env['TERM'] !== 'dumb' ? 'live' : 'lines'));
  if (wanted === 'quiet')
    return { event: () => undefined, watch: () => undefined, stop: () => undefined };
  return wanted === 'live'
    ? liveScreen(options, process.stderr)
    : linesScreen(options, (text) => process.stderr.write(text));
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
  return [
    plan.episode.taskset.name,
    models.join(', '),
    agents.join(', '),
    runtimes.join(', '),
  ].join(' · ');
}
