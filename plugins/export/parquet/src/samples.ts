import type { Episode, ExportRequest, Trace } from '@vf/core';
import { provenanceOf, samplesOf, trainableTraces } from '@vf/export-kit';
import type { Field, Values } from './fields.ts';

/** The fields of a table of training samples, in their order. */
export const sampleFields: readonly Field[] = [
  { name: 'group', type: 'text' },
  { name: 'task', type: 'text' },
  { name: 'attempt', type: 'integer' },
  { name: 'episode', type: 'text' },
  { name: 'trace', type: 'text' },
  { name: 'branch', type: 'integer' },
  { name: 'branches', type: 'integer' },
  { name: 'run', type: 'text' },
  { name: 'taskset', type: 'text' },
  { name: 'task_hash', type: 'text' },
  { name: 'agent', type: 'text' },
  { name: 'model', type: 'text' },
  { name: 'weights', type: 'texts' },
  { name: 'engine', type: 'text' },
  { name: 'renderer', type: 'text' },
  { name: 'retention', type: 'text' },
  { name: 'tokenizer_sha256', type: 'text' },
  { name: 'template_sha256', type: 'text' },
  { name: 'origins', type: 'text' },
  { name: 'source_kind', type: 'text' },
  { name: 'reward', type: 'number' },
  { name: 'rewards', type: 'text' },
  { name: 'is_truncated', type: 'boolean' },
  { name: 'stop', type: 'text' },
  { name: 'temperature', type: 'number' },
  { name: 'sampling', type: 'text' },
  { name: 'turns', type: 'integer' },
  { name: 'prompt_ids', type: 'integers' },
  { name: 'response_ids', type: 'integers' },
  { name: 'response_mask', type: 'integers' },
  { name: 'logprobs', type: 'numbers' },
  { name: 'advantages', type: 'numbers' },
];

/** A row for each branch that trains; traces without exact tokens are omitted. */
export async function* sampleRows(
  request: Pick<ExportRequest, 'episodes' | 'omit'>,
): AsyncGenerator<Values, void> {
  for await (const { episode, trace, reward } of trainableTraces(request, { logprobs: false })) {
    const samples = samplesOf(trace);
    const source = sourceOf(episode, trace);
    for (const sample of samples) {
      yield {
        ...source,
        reward,
        branch: sample.branch,
        branches: samples.length,
        turns: sample.turns,
        prompt_ids: sample.promptIds,
        response_ids: sample.responseIds,
        response_mask: sample.mask,
        logprobs: sample.logprobs,
        advantages: sample.advantages,
      };
    }
  }
}

/** What the samples of a trace have in common; a table is flat, so records are JSON. */
function sourceOf(episode: Episode, trace: Trace): Values {
  const { rewards, sampling, weights, origins = [], ...provenance } = provenanceOf(episode, trace);
  const { temperature } = sampling;
  return {
    ...provenance,
    weights: weights ?? null,
    ...(origins.length === 1 ? origins[0] : {}),
    origins: origins.length === 0 ? null : JSON.stringify(origins),
    rewards: JSON.stringify(rewards),
    sampling: JSON.stringify(sampling),
    temperature: typeof temperature === 'number' ? temperature : null,
    run: episode.run?.name ?? episode.run?.id ?? null,
    taskset: trace.task.type,
    task_hash: trace.task.hash,
    stop: trace.stopCondition,
  };
}
