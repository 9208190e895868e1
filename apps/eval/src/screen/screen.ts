import type { Progress, RunEvent, Underway } from '@vf/run';

export interface Snapshot {
  readonly progress: Progress;
  readonly slowest: readonly Underway[];
  /** Absent where it is not known. */
  readonly waiting?: { readonly calls: number; readonly since: number | null };
}

export interface Screen {
  event(event: RunEvent): void;
  /** A line from elsewhere, without its newline. */
  say(text: string): void;
  /** Where the figures come from; asked at most four times a second. */
  watch(snapshot: () => Snapshot): void;
  stop(): void;
}

/** What a run is called and where it lies, as the screen shows it. */
export interface RunHead {
  readonly title: string;
  readonly run: string;
  readonly dir: string;
  /** US dollars; null = no budget. */
  readonly budgetCost: number | null;
  readonly isVerbose: boolean;
}
