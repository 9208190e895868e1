import type { Conversation, Rollout } from '@vf/core';
import type { VfError } from '@vf/core/errors';
import { Attempt } from './attempt.ts';
import { finish, newTrace } from './rollout.ts';
import type { PlayedRollout, RolloutInit } from './rollout.ts';
import { note } from './trace-error.ts';

/**
 * One rollout that an environment leads turn by turn; not tried again. What fails ends up on the trace: nothing more is said
 * to the agent then.
 * @param done what the environment is given at the end
 */
export async function openConversation(
  init: RolloutInit,
  done: (played: PlayedRollout) => Rollout,
): Promise<Conversation> {
  const trace = newTrace(init, null);
  const attempt = new Attempt({ ...init, trace });
  init.services.observer.started?.(trace);
  let failure: VfError | null = null;
  const guarded = async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (failure !== null) return null;
    try {
      return await work();
    } catch (error) {
      failure = note(trace, error, attempt.phase);
      return null;
    }
  };
  await guarded(async () => {
    await attempt.boot();
    await attempt.setup();
    attempt.begin();
  });
  return {
    say: (text) =>
      guarded(async () => (trace.stopCondition === null ? attempt.say(text, init.signal) : null)),
    end: async () => {
      await attempt
        .endAgent()
        .catch((error: unknown) => (failure ??= note(trace, error, attempt.phase)));
      trace.stopCondition ??= 'user_closed';
      await guarded(() => attempt.finalize());
      await guarded(() => attempt.score());
      return done(finish(init, attempt, trace, failure));
    },
  };
}
