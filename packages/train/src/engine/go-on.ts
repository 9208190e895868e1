import { createHash } from 'node:crypto';
import type { SamplingMask, Settings, WeightSpan } from '@vf/core';
import { checkIds } from './check-ids.ts';
import type { Engine, Sample, SampleRequest } from './engine.ts';
import { EngineFailed } from './engine-failed.ts';

/** Times in a row that an engine may give a call up before it has sampled anything more. */
const patience = 3;

/**
 * An engine that gives calls up (for new weights, say) is asked to go on from what it has sampled: those ids are exact,
 * and the spans of weights say what sampled them.
 */
export function goingOn(engine: Engine): Engine {
  return {
    id: engine.id,
    contextLength: (model, signal) => engine.contextLength(model, signal),
    close: () => engine.close(),
    async sample(request, signal, onIds) {
      let sample = await engine.sample(request, signal, onIds);
      checkKnown(engine, request, sample);
      for (let idle = 0; mayGoOn(request, sample);) {
        const more = await engine.sample(after(request, sample), signal, onIds);
        checkKnown(engine, request, more);
        idle = more.ids.length === 0 ? idle + 1 : 0;
        sample = joined(sample, more);
        if (more.finish === 'abort' && idle === patience) throw givenUp(engine, sample);
      }
      return sample.finish === 'abort' ? { ...sample, finish: 'length' } : sample;
    },
  };
}

/**
 * What was sampled is a prompt once more: an id of another vocabulary is no engine's to read.
 * @throws EngineFailed
 */
function checkKnown({ id }: Engine, { vocabulary }: SampleRequest, { finish, ids }: Sample): void {
  if (finish === 'abort' && vocabulary !== undefined) checkIds(id, ids, vocabulary);
}

/** A call may be given up behind its last id. */
function mayGoOn({ room, stopIds }: SampleRequest, { finish, ids }: Sample): boolean {
  if (finish !== 'abort' || (room !== null && ids.length >= room)) return false;
  return !Array.from(ids).some((id) => stopIds.includes(id));
}

function after(request: SampleRequest, { ids }: Sample): SampleRequest {
  const { promptIds, room, settings } = request;
  return {
    ...request,
    promptIds: endToEnd(promptIds, ids),
    room: room === null ? null : room - ids.length,
    settings: reseeded(settings, ids.length),
  };
}

/** The same seed would begin again with the random numbers that the ids so far were drawn with. */
function reseeded(settings: Settings, sampled: number): Settings {
  const { seed } = settings;
  if (seed === undefined || sampled === 0) return settings;
  const digest = createHash('sha256').update(`${seed} ${sampled}`).digest();
  return { ...settings, seed: digest.readUInt32BE() >>> 1 };
}

function joined(before: Sample, more: Sample): Sample {
  const { samplingMask, weights, routedExperts: _experts, ...rest } = before;
  return {
    ...rest,
    ids: Array.from(before.ids).concat(Array.from(more.ids)),
    logprobs: Array.from(before.logprobs).concat(Array.from(more.logprobs)),
    finish: more.finish,
    rawFinish: more.rawFinish,
    ...joinedMasks(samplingMask, more.samplingMask),
    ...joinedWeights(weights, more.weights, before.ids.length),
    // The later answer's prompt holds what the earlier one sampled.
    ...(more.routedExperts === undefined ? {} : { routedExperts: more.routedExperts }),
  };
}

function joinedMasks(
  before: SamplingMask | undefined,
  more: SamplingMask | undefined,
): Pick<Sample, 'samplingMask'> {
  if (before === undefined || more === undefined) return {};
  const ids = endToEnd(before.ids, more.ids);
  return { samplingMask: { ids, counts: endToEnd(before.counts, more.counts) } };
}

function endToEnd(before: ArrayLike<number>, more: ArrayLike<number>): Int32Array {
  const all = new Int32Array(before.length + more.length);
  all.set(before);
  all.set(more, before.length);
  return all;
}

function joinedWeights(
  before: readonly WeightSpan[] = [],
  more: readonly WeightSpan[] = [],
  length: number,
): Pick<Sample, 'weights'> {
  const later = more.map((span) => ({
    ...span,
    start: span.start + length,
    end: span.end + length,
  }));
  const isKnown = (before.length > 0 || length === 0) && later.length > 0;
  return isKnown ? { weights: [...before, ...later] } : {};
}

function givenUp({ id }: Engine, { rawFinish }: Sample): EngineFailed {
  return new EngineFailed({
    status: 503,
    code: 'overloaded',
    message: `${id} gave the call up itself again and again (${rawFinish})`,
  });
}
