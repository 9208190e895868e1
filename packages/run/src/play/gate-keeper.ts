import type { RunConfig } from '../config/run-config.ts';

/** Why a run stops by itself. */
export interface StopReason {
  readonly code: 'same_failure' | 'budget' | 'disk';
  readonly message: string;
  /** The error code that every rollout ended with, and the stage it struck in last. */
  readonly errorCode?: string;
  readonly phase?: string;
  /** Where the author's own code threw last, `file:line:column`. */
  readonly at?: string;
  /** The budget that is used up. */
  readonly budget?: 'cost' | 'tokens' | 'time';
}

/** Watches what would make going on pointless: one failure everywhere, or a budget that is used up. */
export class GateKeeper {
  readonly #stopAfter: number;
  readonly #budget: RunConfig['budget'];
  readonly #started: number;
  #lastCode: string | null = null;
  #inARow = 0;
  #cost: number;
  #tokens: number;

  /** @param spent what earlier sessions of the run have used; time counts from the start of this one */
  constructor(
    config: Pick<RunConfig, 'gate' | 'budget'>,
    startedMs: number,
    spent: { readonly cost: number; readonly tokens: number } = { cost: 0, tokens: 0 },
  ) {
    this.#cost = spent.cost;
    this.#tokens = spent.tokens;
    this.#stopAfter = config.gate.stopAfter;
    this.#budget = config.budget;
    this.#started = startedMs;
  }

  /** Takes a finished rollout; the reason to stop, null while there is none. */
  finished(
    rollout: {
      errorCode: string | null;
      message: string | null;
      phase?: string | null;
      at?: string | null;
      cost: number | null;
      tokens: number;
    },
    nowMs: number,
  ): StopReason | null {
    this.#cost += rollout.cost ?? 0;
    this.#tokens += rollout.tokens;
    this.#inARow =
      rollout.errorCode !== null && rollout.errorCode === this.#lastCode ? this.#inARow + 1 : 1;
    this.#lastCode = rollout.errorCode;
    return this.#sameFailure(rollout) ?? this.overBudget(nowMs);
  }

  overBudget(nowMs: number): StopReason | null {
    const { cost, tokens, time } = this.#budget;
    if (cost !== null && this.#cost >= cost)
      return usedUp('cost', `${dollars(this.#cost)} of ${dollars(cost)}`);
    if (tokens !== null && this.#tokens >= tokens)
      return usedUp('tokens', `${this.#tokens} of ${tokens} tokens`);
    if (time !== null && nowMs - this.#started >= time)
      return usedUp('time', `${Math.round(time / 1000)} s`);
    return null;
  }

  #sameFailure({
    errorCode,
    message,
    phase = null,
    at = null,
  }: {
    errorCode: string | null;
    message: string | null;
    phase?: string | null;
    at?: string | null;
  }): StopReason | null {
    if (errorCode === null || this.#stopAfter === 0 || this.#inARow < this.#stopAfter) return null;
    return {
      code: 'same_failure',
      message: message ?? errorCode,
      errorCode,
      ...(phase === null ? {} : { phase }),
      ...(at === null ? {} : { at }),
    };
  }
}

function usedUp(budget: 'cost' | 'tokens' | 'time', what: string): StopReason {
  return { code: 'budget', budget, message: `the budget is used up (${what})` };
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount >= 0.1 ? 2 : 6)}`;
}
