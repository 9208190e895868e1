import type { Writable } from 'node:stream';
import { knownCost } from '@vf/run';
import type { Progress, RunEvent, Secrets } from '@vf/run';
import { eventLine } from './event-line.ts';
import { snake } from '@vf/run/names';

/** Writes events as NDJSON, secrets masked. */
export function eventWriter(
  out: Writable,
  secrets: Pick<Secrets, 'mask'>,
): (event: RunEvent) => void {
  return (event) => {
    out.write(`${secrets.mask(eventLine(event.type, fieldsOf(event)))}\n`);
  };
}

function fieldsOf(event: RunEvent): Record<string, unknown> {
  if (event.type === 'progress') return progressFields(event);
  const { type: _, ...fields } = event;
  // The config has the names that people gave to roles, variables and options.
  return 'config' in fields ? { ...snake(fields), config: fields.config } : snake(fields);
}

function progressFields(progress: Progress): Record<string, unknown> {
  const { phases, reward, rewardInterval, etaSeconds, elapsedSeconds, done, total } = progress;
  const { scored, unscored, retried, inputTokens, cachedInputTokens, outputTokens } = progress;
  return {
    done,
    total,
    scored,
    unscored,
    retried,
    phases,
    reward,
    interval: rewardInterval,
    input_tokens: inputTokens,
    cached_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    cost: knownCost(progress.cost, progress.unpriced),
    unpriced: progress.unpriced,
    elapsed_s: elapsedSeconds,
    eta_s: etaSeconds,
    errors: progress.errors,
  };
}
