import type { TokenSpace, TurnTokens } from '../contract/turn-tokens.ts';

/** Why a turn's tokens cannot be of its space; null when they can. */
export function spaceProblem({ promptIds, completionIds, space }: TurnTokens): string | null {
  const vocabulary = space ?? { vocabulary: Number.POSITIVE_INFINITY };
  const foreign = firstOutside(promptIds, vocabulary) ?? firstOutside(completionIds, vocabulary);
  if (foreign !== undefined) {
    const limit = space === undefined ? '' : ` of ${space.vocabulary}`;
    return `token id ${foreign} is not of a vocabulary${limit}`;
  }
  const length = promptIds.length + completionIds.length;
  if (space === undefined || space.context === null || length <= space.context) return null;
  return `${length} tokens are more than the context of ${space.context}`;
}

/** The first id that is not in the vocabulary. */
export function firstOutside(
  ids: Int32Array,
  { vocabulary }: Pick<TokenSpace, 'vocabulary'>,
): number | undefined {
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] as number;
    if (id < 0 || id >= vocabulary) return id;
  }
  return undefined;
}

/** The space that holds the tokens of both: a rollout may ask more than one model. */
export function widest(a: TokenSpace | null, b: TokenSpace | undefined): TokenSpace | null {
  if (a === null || b === undefined) return b ?? a;
  return {
    vocabulary: Math.max(a.vocabulary, b.vocabulary),
    context: a.context === null || b.context === null ? null : Math.max(a.context, b.context),
  };
}
