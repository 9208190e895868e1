import type { RoutedExperts, SamplingMask } from '../contract/turn-tokens.ts';
import type { Branch } from './branch.ts';
import type { NodeTokens } from './node.ts';
import { joinedExperts } from './routed-experts.ts';

/** The tokens of a branch, one after another; each list but the experts and the mask's ids has one entry per token. */
export interface BranchTokens {
  readonly ids: Int32Array;
  /** 1 = sampled. */
  readonly mask: Uint8Array;
  /** 1 = sampled, and trained in this branch: of branches that share a reply, the first. */
  readonly lossMask: Uint8Array;
  /** null where a node does not know. */
  readonly isContent: Uint8Array | null;
  /** 0 where nothing was sampled, or the engine told none. */
  readonly logprobs: Float32Array;
  /** 0 where nothing was sampled; null where no node was given any. */
  readonly advantages: Float32Array | null;
  /** null where a node has none. */
  readonly routedExperts: RoutedExperts | null;
  /** Counts are 0 where nothing was sampled; null where no node has one. */
  readonly samplingMask: SamplingMask | null;
}

/** The sequence that a branch is for a trainer. Time and memory grow with its tokens. */
export function tokensOf(branch: Pick<Branch, 'nodes' | 'path' | 'trains'>): BranchTokens {
  const owned = branch.nodes.flatMap(({ tokens }, at) =>
    tokens === undefined
      ? []
      : [{ tokens, isTrained: branch.trains.includes(branch.path[at] ?? -1) }],
  );
  const nodes = owned.map(({ tokens }) => tokens);
  const length = nodes.reduce((sum, { ids }) => sum + ids.length, 0);
  const isTold = nodes.every(({ isContent }) => isContent !== null);
  const isAssigned = nodes.some(({ advantages }) => advantages != null);
  const all = {
    ids: new Int32Array(length),
    mask: new Uint8Array(length),
    lossMask: new Uint8Array(length),
    isContent: isTold ? new Uint8Array(length) : null,
    logprobs: new Float32Array(length),
    advantages: isAssigned ? new Float32Array(length) : null,
  };
  let at = 0;
  for (const { tokens, isTrained } of owned) {
    all.ids.set(tokens.ids, at);
    all.mask.set(tokens.mask, at);
    if (isTrained) all.lossMask.set(tokens.mask, at);
    all.isContent?.set(tokens.isContent ?? [], at);
    const sampled = at + firstSampled(tokens);
    all.logprobs.set(tokens.logprobs, sampled);
    all.advantages?.set(tokens.advantages ?? [], sampled);
    at += tokens.ids.length;
  }
  return {
    ...all,
    routedExperts: joinedExperts(nodes.map(({ routedExperts }) => routedExperts)),
    samplingMask: joinedMask(nodes, length),
  };
}

/** Where the sampled tokens of a node begin: its mask is 0s, then 1s. */
export function firstSampled({ ids, mask }: NodeTokens): number {
  const first = mask.indexOf(1);
  return first < 0 ? ids.length : first;
}

function joinedMask(nodes: readonly NodeTokens[], length: number): SamplingMask | null {
  const masks = nodes.flatMap(({ samplingMask }) => samplingMask ?? []);
  if (masks.length === 0) return null;
  const ids = new Int32Array(masks.reduce((sum, mask) => sum + mask.ids.length, 0));
  const counts = new Int32Array(length);
  let [token, id] = [0, 0];
  for (const tokens of nodes) {
    if (tokens.samplingMask !== undefined) {
      ids.set(tokens.samplingMask.ids, id);
      counts.set(tokens.samplingMask.counts, token + firstSampled(tokens));
      id += tokens.samplingMask.ids.length;
    }
    token += tokens.ids.length;
  }
  return { ids, counts };
}
