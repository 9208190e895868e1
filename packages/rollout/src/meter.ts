import type { CallError, ModelCall, RolloutLimits } from '@vf/core';

/** Counts what a rollout has used and says when a limit is reached; constant time per call. */
export class Meter {
  readonly #limits: RolloutLimits;
  #turns = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #cost = 0;

  constructor(limits: RolloutLimits) {
    this.#limits = limits;
  }

  add(call: ModelCall): void {
    if (call.node !== null) this.#turns++;
    this.#inputTokens += call.usage?.inputTokens ?? 0;
    this.#outputTokens += call.usage?.outputTokens ?? 0;
    this.#cost += call.cost ?? 0;
  }

  /** US dollars that a simulated user took: tokens are the agent's, money is money. */
  spend(cost: number): void {
    this.#cost += cost;
  }

  /** The stop condition of the first limit that is reached; null while another turn is allowed. */
  reached(): string | null {
    const { maxTurns, maxInputTokens, maxOutputTokens, maxTotalTokens, maxCost } = this.#limits;
    if (isReached(this.#turns, maxTurns)) return 'max_turns';
    if (isReached(this.#inputTokens, maxInputTokens)) return 'max_input_tokens';
    if (isReached(this.#outputTokens, maxOutputTokens)) return 'max_output_tokens';
    if (isReached(this.#inputTokens + this.#outputTokens, maxTotalTokens))
      return 'max_total_tokens';
    if (isReached(this.#cost, maxCost)) return 'max_cost';
    return null;
  }
}

function isReached(used: number, limit: number | undefined): boolean {
  return limit !== undefined && used >= limit;
}

/** What an agent is answered once its rollout may not go on: agents give up on a 400, not on 401 or 5xx. */
export function refusal(reason: string): CallError {
  return {
    status: 400,
    code: 'invalid',
    message: `This rollout is over (${reason}); no further model calls are answered.`,
  };
}
