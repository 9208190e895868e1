import { textOf } from '@vf/core/trace';
import type { Reply, ScriptedRequest } from './script.ts';
import { say } from './steps.ts';

/** A script that answers the last `a + b` of the user's last message, and `otherwise` when there is none. */
export function answerSums(otherwise = 'Done.'): (request: ScriptedRequest) => Reply {
  return ({ messages }) => {
    const question = messages.findLast((message) => message.role === 'user');
    const sums = [...textOf(question?.content ?? '').matchAll(/(-?\d+)\s*\+\s*(-?\d+)/g)];
    const [, a, b] = sums.at(-1) ?? [];
    return say(a === undefined || b === undefined ? otherwise : String(BigInt(a) + BigInt(b)));
  };
}
