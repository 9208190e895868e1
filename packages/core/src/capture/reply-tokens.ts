import type { TurnTokens } from '../contract/turn-tokens.ts';
import { toVfError } from '../errors/to-vf-error.ts';
import type { VfError } from '../errors/vf-error.ts';
import type { ReplyTokens } from './model.ts';

/** @throws RangeError when an id is none */
export function turnTokensOf(tokens: ReplyTokens): TurnTokens {
  const { promptIds, completionIds, logprobs = [], spans = [], ...rest } = tokens;
  if (Array.from(logprobs).some((value) => typeof value !== 'number')) {
    throw new RangeError('a logprob is no number');
  }
  return {
    promptIds: idsOf(promptIds),
    completionIds: idsOf(completionIds),
    logprobs: Float32Array.from(logprobs),
    spans,
    ...rest,
  };
}

function idsOf(given: ArrayLike<number> | null | undefined): Int32Array {
  if (given === null || given === undefined) throw new RangeError('ids are missing');
  const wrong = Array.from(given).find((id) => !Number.isInteger(id) || id < 0 || id >= 2 ** 31);
  if (wrong !== undefined) throw new RangeError(`${wrong} is no token id`);
  return Int32Array.from(given);
}

/** Why a reply cannot be recorded: it is no sample, and nothing is made up in its place. */
export function badReply(error: unknown): VfError {
  const hint =
    'ids, logprobs and sent messages are those of this one call; leave out what the model does not tell';
  return toVfError(error, 'provider/malformed', 'the reply cannot be recorded', hint);
}
