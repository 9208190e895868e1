import type { Environment, Harness, PluginKind, Runtime, Taskset } from '@vf/core';

/** A line of `vf plugins show`: what of the plugin, and what it says. */
export type Fact = readonly [name: string, text: string];

/** What a loaded plugin says of itself, in the words of its kind's contract. */
export function factsOf(kind: PluginKind, value: unknown): Fact[] {
  // The host has checked the kind.
  if (kind === 'harness') return harnessFacts(value as Harness);
  if (kind === 'runtime') return runtimeFacts(value as Runtime);
  if (kind === 'environment') return environmentFacts(value as Environment);
  if (kind === 'taskset') return tasksetFacts(value as Taskset);
  return [];
}

function harnessFacts({ spec }: Harness): Fact[] {
  const config = defaultsOf(spec);
  const dialects = typeof spec.speaks !== 'function' ? spec.speaks : config && spec.speaks(config);
  const version = config === null ? null : (spec.version?.(config) ?? null);
  return [
    ['speaks', dialects === null ? 'as its options say' : list(dialects)],
    ...(version === null ? [] : [['agent', version] as const]),
    ['can', list(spoken(spec.capabilities))],
  ];
}

/** Its options when the user sets none; null when some must be set. */
function defaultsOf({ config }: Harness['spec']): object | null {
  if (config === undefined) return {};
  const parsed = config.safeParse({});
  return parsed.success ? (parsed.data as object) : null;
}

function runtimeFacts({ offers }: Runtime): Fact[] {
  const { policies, ...others } = offers;
  return [
    ['offers', list(spoken(others))],
    ['networks', list(policies)],
  ];
}

function environmentFacts({ spec }: Environment): Fact[] {
  const roles = Object.entries(spec.roles).map(([name, role]) => {
    const { summary } = role as { readonly summary?: string };
    return summary === undefined ? name : `${name} (${summary})`;
  });
  return [['roles', list(roles)]];
}

function tasksetFacts({ spec }: Taskset): Fact[] {
  const hooks = ['setup', 'tools', 'next', 'intercept', 'finalize', 'validate'] as const;
  return [
    ['rewards', list(Object.keys(spec.rewards ?? {}))],
    ['metrics', list(Object.keys(spec.metrics ?? {}))],
    ['hooks', list(hooks.filter((hook) => spec[hook] !== undefined))],
    ['needs', list(spoken(spec.needs ?? {}))],
  ];
}

/** What is true of a record of switches, as words: `mcp`, `systemPrompt append`. */
function spoken(switches: object): string[] {
  return Object.entries(switches).flatMap(([name, value]) => {
    if (value === false || value === undefined) return [];
    return [value === true ? name : `${name} ${String(value)}`];
  });
}

function list(words: readonly string[]): string {
  return words.length === 0 ? '–' : words.join(', ');
}
