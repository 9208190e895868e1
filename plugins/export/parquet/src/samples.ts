import type { ExportRequest } from '@vf/core';
import { samplesOf, sourceKindOf, trainableTraces } from '@vf/export-kit';
import type { Field, Values } from './fields.ts';

/** The fields of a table of training samples, in their order. */
export const sampleFields: readonly Field[] = [
  { name: 'episode', type: 'text' },
  { name: 'trace', type: 'text' },
  { name: 'task', type: 'text' },
  { name: 'attempt', type: 'integer' },
  { name: 'agent', type: 'text' },
  { name: 'branch', type: 'integer' },
  { name: 'model', type: 'text' },
  { name: 'source_kind', type: 'text' },
  { name: 'reward', type: 'number' },
  { name: 'turns', type: 'integer' },
  { name: 'prompt_ids', type: 'integers' },
  { name: 'response_ids', type: 'integers' },
  { name: 'response_mask', type: 'integers' },
  { name: 'logprobs', type: 'numbers' },
];

/** A row for each branch that trains; traces without exact tokens are omitted. */
export async function* sampleRows(
  request: Pick<ExportRequest, 'episodes' | 'omit'>,
): AsyncGenerator<Values, void> {
  for await (const { episode, trace, reward } of trainableTraces(request, { logprobs: false })) {
    for (const sample of samplesOf(trace)) {
      yield {
        episode: episode.id,
        trace: trace.id,
        task: trace.task.key,
        attempt: episode.attempt,
        agent: trace.agent.name,
        branch: sample.branch,
        model: trace.agent.model,
        source_kind: sourceKindOf(trace),
        reward,
        turns: sample.turns,
        prompt_ids: sample.promptIds,
        response_ids: sample.responseIds,
        response_mask: sample.mask,
        logprobs: sample.logprobs,
      };
    }
  }
}
