import type { TokenSpace, TurnTokens } from '../contract/turn-tokens.ts';

/** Why a turn's tokens cannot be of its space; null when they can. */
export function spaceProblem({ promptIds, completionIds, space }: TurnTokens): string | null {
  if (space === undefined) return null;
  const foreign = firstOutside(promptIds, space) ?? firstOutside(completionIds, space);
  if (foreign !== undefined) {
    return `token id ${foreign} is not of a vocabulary of ${space.vocabulary}`;
  }
  const length = promptIds.length + completionIds.length;
  if (space.context === null || length <= space.context) return null;
  return `${length} tokens are more than the context of ${space.context}`;
}

/** The first id that is not in the vocabulary. */
export function firstOutside(ids: Int32Array, { vocabulary }: TokenSpace): number | undefined {
  return ids.find((id) => id < 0 || id >= vocabulary);
}

/** The space that holds the tokens of both: a rollout may ask more than one model. */
export function widest(a: TokenSpace | null, b: TokenSpace | undefined): TokenSpace | null {
  if (a === null || b === undefined) return b ?? a;
  return {
    vocabulary: Math.max(a.vocabulary, b.vocabulary),
    context: a.context === null || b.context === null ? null : Math.max(a.context, b.context),
  };
}
