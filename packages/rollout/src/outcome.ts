import type { ModelCall, Segment } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { providerError } from './provider-error.ts';

/** How a segment ended: with a stop condition (null: the agent finished its turn), or not at all. */
export type Outcome = { readonly stop: string | null } | { readonly error: VfError };

/**
 * Decides from what the server saw first, then from what the program left: exit codes of agents are not the truth.
 * `calls`: those of this segment. `stopped`: limit, stop hook or tool that ended it.
 */
export function judgeSegment(evidence: {
  readonly segment: Segment;
  readonly calls: readonly ModelCall[];
  readonly stopped: string | null;
  readonly harness: string;
  readonly callsModel: boolean;
  /** Has it begun to ask the model in this segment, also where no call came of it? */
  readonly hasAsked: boolean;
  /** Has the model said anything in this rollout? A prompt that never fitted is no attempt at the task. */
  readonly hasReplied: boolean;
}): Outcome {
  const { segment, calls, stopped, harness, callsModel, hasAsked, hasReplied } = evidence;
  const unsampled = unsampledOf(calls);
  if (unsampled !== null) return { error: unsampled };
  if (stopped !== null) return { stop: stopped };
  const last = calls.at(-1);
  if (last === undefined) {
    if (!callsModel && segment.status === 'completed') return { stop: null };
    if (!callsModel) return { error: programError('harness/failed', harness, segment) };
    const how = hasAsked ? `; ${unsent}` : ' without asking the model';
    return { error: programError('harness/no_model_call', harness, segment, how) };
  }
  const isFailed = segment.status === 'failed';
  const failure = lastFailure(calls) ?? (isFailed ? lastHeard(calls) : null);
  if (failure?.code === 'context_length' && hasReplied) return { stop: 'context_length' };
  if (failure !== null) return { error: providerError(failure) };
  return isFailed ? { error: programError('harness/failed', harness, segment) } : { stop: null };
}

/**
 * The provider's failure that the agent was left waiting with when its time was up; null when the agent itself was
 * slow. A provider that fails or never answers until then says nothing about the agent, and a program that has not come
 * to ask the model says nothing about that: it hung, or the machine was too busy to start it.
 */
export function judgeTimeout({
  calls,
  harness,
  callsModel,
  hasAsked,
}: {
  readonly calls: readonly ModelCall[];
  readonly harness: string;
  readonly callsModel: boolean;
  /** Has it begun to ask the model, also where no call came of it? */
  readonly hasAsked: boolean;
}): VfError | null {
  if (calls.length === 0) {
    if (!callsModel) return null;
    const message = hasAsked
      ? `${harness} had no call of the model when its time was up; ${unsent}`
      : `${harness} had not asked the model when its time was up`;
    return new VfError('harness/no_model_call', message, {
      hint: 'play fewer at once (-c), or give it longer; read logs/<episode>.log',
    });
  }
  const unsampled = unsampledOf(calls);
  if (unsampled !== null) return unsampled;
  const lastGood = calls.findLastIndex(({ error }) => error === null);
  const failure = calls.slice(lastGood + 1).findLast(({ error }) => error?.code !== 'aborted');
  if (failure?.error != null) {
    const error = providerError(failure.error);
    // Where nothing was ever sampled, nobody has tried the task, however the agent takes a refusal.
    return error.retryable || lastGood < 0 ? error : null;
  }
  const hasAnswered =
    lastGood >= 0 || calls.some((call) => call.firstByte !== null && !fellSilent(call));
  if (hasAnswered) return null;
  return new VfError(
    'provider/unreachable',
    'the model did not answer in all the time of the agent',
    {
      hint: 'check the provider, or give the agent longer with --timeout.rollout',
      retryable: false,
    },
  );
}

/** Why an agent that has asked may have no call: see `SessionSpec.onRequest`. */
const unsent = 'what it asked the model broke off before it was sent on, or could not be read';

/** Was nothing heard of the reply for the greater part of the call? A model that goes on is slow, this one is gone. */
function fellSilent({ start, end, lastByte }: ModelCall): boolean {
  return lastByte !== undefined && end - lastByte > lastByte - start;
}

/**
 * The error of a reply that cannot be trained on; null when all can. An agent that asked again got another sample, chosen
 * by what can be told of it.
 */
export function unsampledOf(calls: readonly ModelCall[]): VfError | null {
  const call = calls.find(({ error }) => error?.code === 'no_sample');
  return call?.error == null ? null : providerError(call.error);
}

/** The error of the last call when nothing after it, nor beside it, succeeded. */
function lastFailure(calls: readonly ModelCall[]): ModelCall['error'] {
  const last = calls.at(-1);
  return last === undefined || last.node !== null ? null : last.error;
}

/**
 * What the call failed with that was begun last: a program heard that before it failed, though a call that it had given
 * up may have been recorded after it.
 */
function lastHeard(calls: readonly ModelCall[]): ModelCall['error'] {
  const last = calls.reduce<ModelCall | null>(
    (latest, call) => (latest === null || call.start >= latest.start ? call : latest),
    null,
  );
  return last === null || last.node !== null || last.error?.code === 'aborted' ? null : last.error;
}

function programError(
  code: 'harness/no_model_call' | 'harness/failed',
  harness: string,
  segment: Segment,
  what = '',
): VfError {
  const { program } = segment;
  const how =
    program === undefined
      ? 'ended'
      : describeExit(program.exitCode, program.signal, program.durationMs);
  const words = lastLines(segment.detail ?? program?.stderr ?? '');
  const said = words === '' ? '' : `; its last lines:\n${words}`;
  return new VfError(code, `${harness} ${how}${what}${said}`, {
    hint: 'try one with -n 1 and read logs/<episode>.log',
  });
}

function describeExit(exitCode: number | null, signal: string | null, durationMs: number): string {
  const after = `after ${(durationMs / 1000).toFixed(1)} s`;
  return exitCode === null
    ? `was ended by ${signal ?? 'a signal'} ${after}`
    : `exited ${exitCode} ${after}`;
}

const keptLines = 8;

function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n').slice(-keptLines);
  return lines.join('').trim() === ''
    ? ''
    : lines.map((line) => `  | ${line.slice(0, 300)}`).join('\n');
}
