import type { Sampling, Trace } from '@vf/core';

/** Settings of a call that change the probabilities of what it samples. */
const bending = ['temperature', 'topP', 'topK', 'presencePenalty', 'frequencyPenalty'] as const;

/**
 * What the replies of a trace were sampled with: the settings of the run, and of what the agent asked for by itself that
 * which changes probabilities and which all of its replies have in common.
 */
export function sampledWith({ agent, calls }: Trace): Sampling {
  const asked = calls.flatMap(({ node, settings }) => (node === null ? [] : [settings]));
  const [first, ...others] = asked;
  if (first === undefined) return agent.sampling;
  const own = bending.flatMap((key) => {
    const value = first[key];
    const isCommon = value !== undefined && others.every((each) => each[key] === value);
    return isCommon ? [[key, value] as const] : [];
  });
  const minP = first.extra?.['min_p'];
  const hasMinP = minP !== undefined && others.every((each) => each.extra?.['min_p'] === minP);
  return {
    ...Object.fromEntries(own),
    ...agent.sampling,
    ...(hasMinP ? { extra: { min_p: minP, ...agent.sampling.extra } } : {}),
  };
}
