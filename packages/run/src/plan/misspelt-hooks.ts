import type { AnyTasksetSpec } from '@vf/core';
import { nearest } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';

/** Every field that a taskset may have; the compiler holds the list complete. */
const known: Readonly<Record<keyof AnyTasksetSpec, true>> = {
  name: true,
  data: true,
  config: true,
  state: true,
  infinite: true,
  load: true,
  needs: true,
  setup: true,
  finalize: true,
  validate: true,
  tools: true,
  rewards: true,
  groupRewards: true,
  metrics: true,
  judges: true,
  stops: true,
  intercept: true,
  next: true,
};

/** Fields of a taskset that nobody would ever look at: TypeScript does not run on a file that is just executed. */
export function misspeltHooks(spec: AnyTasksetSpec, taskset: string): Problem[] {
  const names = Object.keys(known);
  const unknown = Object.keys(spec).filter((name) => !names.includes(name));
  const problems = unknown.map((name): Problem => {
    const close = nearest(name, names);
    const message = `taskset ${taskset} has a field that vf does not know`;
    return {
      path: name,
      message,
      ...(close === null ? { fix: `known: ${names.join(', ')}` } : { nearest: close }),
    };
  });
  if (typeof spec.load === 'function') return problems;
  return [
    ...problems,
    { path: 'load', message: `taskset ${taskset} needs load: a function that gives its rows` },
  ];
}
