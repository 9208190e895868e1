import type { RunSession } from '@vf/run';
import type { RunSummary } from '@vf/run/summary';
import { typedRun } from './typed.ts';

const firstMs = 2_000;
const everyMs = 5_000;

/** Frees all boxes of a run at the hard stop. @returns what is left and what to type; null when nothing is */
export function removeHard(play: Pick<RunSession, 'boxes' | 'cleanup'>): string | null {
  const { boxes } = play;
  if (boxes > 0) process.stderr.write(`vf: removing ${boxesOf(boxes)} …\n`);
  const left = play.cleanup();
  if (left === 0) return null;
  const what = left === null ? 'boxes may be left' : `${boxesOf(left)} could not be removed`;
  return `${what}: vf cleanup, or the next run, removes them`;
}

/** Tells every few seconds how many boxes are still to be removed. @returns ends it */
export function tellRemoval(
  signal: AbortSignal,
  count: () => number,
  say: (text: string) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    const boxes = count();
    if (boxes > 0) say(`vf: removing ${boxesOf(boxes)} …`);
    timer = setTimeout(tell, everyMs).unref();
  };
  const begin = (): void => {
    timer = setTimeout(tell, firstMs).unref();
  };
  signal.addEventListener('abort', begin, { once: true });
  return () => {
    signal.removeEventListener('abort', begin);
    clearTimeout(timer);
  };
}

/** Where the boxes are that `runtime.keep` left; null when there is none. */
export function keptText(
  count: number,
  { dir, run }: Pick<RunSummary, 'dir' | 'run'>,
): string | null {
  if (count === 0) return null;
  const which = `vf show ${typedRun(dir, run)} TASK says how to get in`;
  return `${boxesOf(count)} kept: ${which}; vf cleanup removes ${count === 1 ? 'it' : 'them'}`;
}

/** For a sweep: what it removes is told when that takes longer than two seconds. */
export function sweepTeller(say: (text: string) => void): {
  begun(count: number): void;
  end(): void;
} {
  const timers: NodeJS.Timeout[] = [];
  return {
    begun: (count) => {
      if (count === 0) return;
      const text = `removing ${count} containers, networks and volumes that a killed run has left …`;
      timers.push(setTimeout(() => say(text), firstMs).unref());
    },
    end: () => timers.forEach((timer) => clearTimeout(timer)),
  };
}

function boxesOf(count: number): string {
  return count === 1 ? '1 box' : `${count} boxes`;
}
