import type { Episode, TokenOrigin, Trace } from '@vf/core';
import { weightVersions } from '@vf/core/trace';
import { groupOf } from '../group.ts';
import { sourceKindOf } from '../source-kind.ts';
import type { SourceKind } from '../source-kind.ts';
import { sampledWith } from './sampled-with.ts';

/** `TokenOrigin` as trainers spell it. */
export interface Origin {
  readonly engine: string;
  readonly renderer: string | null;
  readonly retention: string | null;
  readonly tokenizer_sha256: string | null;
  readonly template_sha256: string | null;
}

/** Where a training sample comes from, and what it was sampled with; snake_case, as trainers spell it. */
export interface Provenance {
  readonly group: string;
  readonly task: string;
  readonly attempt: number;
  readonly episode: string;
  readonly trace: string;
  readonly agent: string;
  readonly model: string;
  readonly source_kind: SourceKind;
  /** Versions of the weights that sampled it, in the order of their use; absent where the engine does not say. */
  readonly weights?: readonly string[];
  /** What made its ids: one, unless the rollout's calls went to several models; absent where the trace does not say. */
  readonly origins?: readonly Origin[];
  /** Settings of the run, and those of the agent's own that bend all of its replies; nobody asked for an absent one. */
  readonly sampling: Readonly<Record<string, unknown>>;
  readonly rewards: Readonly<Record<string, number | null>>;
  readonly is_truncated: boolean;
}

/** Off-policy hygiene: a sample says which model and settings it belongs to. */
export function provenanceOf(episode: Episode, trace: Trace): Provenance {
  const versions = weightVersions(trace.calls);
  const origins = originsOf(trace);
  return {
    group: groupOf(episode, trace),
    task: trace.task.key,
    attempt: episode.attempt,
    episode: episode.id,
    trace: trace.id,
    agent: trace.agent.name,
    model: trace.calls.at(-1)?.model ?? trace.agent.model,
    source_kind: sourceKindOf(trace),
    ...(versions.length === 0 ? {} : { weights: versions }),
    ...(origins.length === 0 ? {} : { origins: origins.map(spelt) }),
    sampling: snakeKeys(sampledWith(trace)),
    rewards: Object.fromEntries(
      Object.entries(trace.rewards).map(([name, record]) => [name, record?.score ?? null]),
    ),
    is_truncated: trace.isTruncated,
  };
}

/** What made the ids of a trace's replies, each once, in the order of their use. */
export function originsOf({ calls }: Trace): readonly TokenOrigin[] {
  const made = calls.flatMap(({ node, origin }) =>
    node === null || origin === undefined ? [] : [origin],
  );
  return [...new Map(made.map((origin) => [JSON.stringify(spelt(origin)), origin])).values()];
}

function spelt(origin: TokenOrigin): Origin {
  return {
    engine: origin.engine,
    renderer: origin.renderer,
    retention: origin.retention,
    tokenizer_sha256: origin.tokenizerSha256,
    template_sha256: origin.templateSha256,
  };
}

function snakeKeys(settings: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]: [string, unknown]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
