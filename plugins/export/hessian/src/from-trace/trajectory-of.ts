import type { Trace } from '@vf/core';
import { weightVersions } from '@vf/core/trace';
import { groupOf, originsOf, promptIdsOf, sourceKindOf, tokenCallsOf } from '@vf/export-kit';
import type { Reason, TokenCall, TrainableTrace } from '@vf/export-kit';
import type { Config } from '../config.ts';
import { schemaVersion } from '../contract/trajectory.ts';
import type { Trajectory, TrajectoryCall } from '../contract/trajectory.ts';
import { contextOf, hasMedia } from './context.ts';

/** A trace as a record of the contract, or why it cannot be one. */
export function trajectoryOf(from: TrainableTrace, config: Config): Trajectory | Reason {
  const { episode, trace, reward } = from;
  const seed = trace.agent.sampling.seed ?? config.seed;
  if (seed === undefined) return { reason: 'it has no seed', detail: 'give --export.seed' };
  const source = sourceKindOf(trace);
  if (source === 'fixture' && config.sourceKind === 'captured')
    return { reason: 'it is made data', detail: 'leave out --export.source-kind' };
  const versions = versionsOf(trace);
  if (versions.length > 1)
    return { reason: 'several versions of the weights sampled it', detail: versions.join(', ') };
  const model = onlyModel(trace);
  if (typeof model !== 'string') return model;
  const origin = onlyOrigin(trace, config);
  if ('reason' in origin) return origin;
  const version = config.harnessVersion ?? trace.agent.harness.version;
  if (version === null)
    return { reason: 'its harness has no version', detail: 'give --export.harness-version' };
  if (hasMedia(trace.graph.nodes.map(({ message }) => message)))
    return { reason: 'its messages hold more than text' };
  const calls = tokenCallsOf(trace).map((call) => callOf(trace, call));
  const refused = calls.find((call) => 'reason' in call);
  if (refused !== undefined) return refused;
  const modelId = config.modelId ?? model;
  return {
    schema_version: schemaVersion,
    episode_id: trace.id,
    task_id: trace.task.key,
    group_id: groupOf(episode, trace),
    seed,
    source_kind: config.sourceKind ?? source,
    policy: {
      model_id: modelId,
      revision: config.modelRevision,
      tokenizer_id: config.tokenizerId ?? modelId,
      ...origin,
    },
    harness: { name: trace.agent.harness.id, version, revision: config.harnessRevision },
    reward: {
      value: reward,
      scorer: config.scorer ?? trace.task.type,
      scorer_revision: config.scorerRevision,
    },
    calls: calls.filter((call) => 'call_id' in call),
  };
}

/** One policy for each episode. */
function onlyModel(trace: Trace): string | Reason {
  const models = new Set(trace.calls.flatMap(({ node, model }) => (node === null ? [] : [model])));
  const [model = trace.agent.model, ...others] = models;
  if (others.length === 0) return model;
  return { reason: 'several models answered', detail: [model, ...others].join(', ') };
}

/** As it was told, else as the trace has it. */
function onlyOrigin(
  trace: Trace,
  { tokenizerRevision, chatTemplateSha256 }: Config,
): Pick<Trajectory['policy'], 'tokenizer_revision' | 'chat_template_sha256'> | Reason {
  const origins = originsOf(trace);
  const [origin] = origins;
  if (origins.length > 1)
    return {
      reason: 'several engines, tokenizers or templates made its tokens',
      detail: origins
        .map(({ engine, renderer }) => `${engine} ${renderer ?? ''}`.trim())
        .join(', '),
    };
  const isOfAll = trace.calls.every(({ node, origin: of }) => node === null || of !== undefined);
  const known = isOfAll ? origin : undefined;
  const tokenizer = tokenizerRevision ?? known?.tokenizerSha256 ?? null;
  if (tokenizer === null)
    return { reason: 'its tokenizer is not known', detail: 'give --export.tokenizer-revision' };
  const template = chatTemplateSha256 ?? known?.templateSha256 ?? null;
  if (template === null)
    return { reason: 'its template is not known', detail: 'give --export.chat-template-sha256' };
  return { tokenizer_revision: tokenizer, chat_template_sha256: template };
}

/** Of the replies that are in the trace, as far as the engine told. */
function versionsOf({ calls }: Trace): readonly string[] {
  return weightVersions(calls.filter(({ node }) => node !== null));
}

function callOf(trace: Trace, from: TokenCall): TrajectoryCall | Reason {
  const { node, call, responseIds, logprobs } = from;
  const finish = call?.finish ?? null;
  if (finish === null || finish === 'content_filter') {
    return {
      reason: 'a reply has no finish reason of the contract',
      detail: `node ${node}: ${call?.rawFinish ?? finish ?? 'none'}`,
    };
  }
  const before = trace.graph.pathTo(node).slice(0, -1);
  return {
    call_id: `n${node}`,
    prompt_token_ids: promptIdsOf(trace, node),
    response_token_ids: responseIds,
    response_role: 'assistant',
    response_loss_mask: responseIds.map(() => 1 as const),
    finish_reason: finish,
    context: contextOf(before.flatMap((at) => trace.graph.nodes[at]?.message ?? [])),
    ...(logprobs === null ? {} : { behavior_logprobs: logprobs }),
  };
}
