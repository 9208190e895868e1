import type { ComparedRun } from './read-run.ts';

/** A value that two runs do not have in common; null where one has none. */
export interface PlanDifference {
  readonly path: string;
  readonly a: unknown;
  readonly b: unknown;
}

/** What people ask for first comes first; the rest follows by name. */
const order = [
  'harness.id',
  'harness.version',
  'model',
  'model_weights',
  'roles.',
  'environment.',
  'sampling.',
  'limits.',
  'timeouts.',
  'runtime.',
  'images.',
  'taskset.',
  'scorers.',
  'judges.',
  'hooks.',
  'rollouts_per_example',
  'harness.',
  'dialect',
  'provider.',
  'plugins.',
  'vf',
];

/** Every value that differs. */
export function planDifferences(a: ComparedRun, b: ComparedRun): PlanDifference[] {
  const hasScorers = [a, b].every(({ scorers }) => Object.keys(scorers).length > 0);
  const areTold = tellWeights(a, b);
  const [ofA, ofB] = [a, b].map(({ measured, scorers, weights, modelWeights }) => ({
    ...measured,
    ...(areTold ? { model_weights: modelWeights.toSorted().join(', ') } : {}),
    ...(hasScorers ? scorers : weightsOf(weights)),
  })) as [Record<string, unknown>, Record<string, unknown>];
  const paths = new Set([...Object.keys(ofA), ...Object.keys(ofB)]);
  return [...paths]
    .filter((path) => JSON.stringify(ofA[path]) !== JSON.stringify(ofB[path]))
    .filter((path) => !isUnknownImage(path, ofA) && !isUnknownImage(path, ofB))
    .map((path) => ({ path, a: ofA[path] ?? null, b: ofB[path] ?? null }))
    .sort((one, other) => rank(one.path) - rank(other.path) || byName(one.path, other.path));
}

/** An engine that says no versions of its weights leaves open whether they are others. */
function tellWeights(...runs: readonly ComparedRun[]): boolean {
  return runs.every(({ modelWeights }) => modelWeights.length > 0);
}

/** One that was never pulled, or that the run did not need. */
function isUnknownImage(path: string, values: Readonly<Record<string, unknown>>): boolean {
  return path.startsWith('images.') && (values[path] ?? null) === null;
}

/** Plans from before vf kept the scorers: what the episodes say of them. */
function weightsOf(weights: Readonly<Record<string, number>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(weights).map(([name, weight]) => [`scorers.rewards.${name}.weight`, weight]),
  );
}

/** Does the value decide what a rollout's reward is? */
export function isOfScoring({ path }: PlanDifference): boolean {
  return /^(scorers|judges|hooks\.rewards)\./.test(path);
}

/** Differences that do not merely follow from another one: options of another harness, its package, its dialect. */
export function leadingDifferences(differences: readonly PlanDifference[]): PlanDifference[] {
  const paths = new Set(differences.map(({ path }) => path));
  return differences.filter(
    ({ path }) => !consequences.some(([cause, follows]) => paths.has(cause) && follows.test(path)),
  );
}

const consequences: readonly (readonly [cause: string, follows: RegExp])[] = [
  ['harness.id', /^(harness\.options\.|plugins\.harness\/|plugins\.dialect\/|dialect$)/],
  ['harness.version', /^plugins\.harness\//],
  ['runtime.id', /^(runtime\.options\.|plugins\.runtime\/)/],
  ['taskset.id', /^(taskset\.options\.|plugins\.taskset\/)/],
  ['environment.id', /^(environment\.options\.|plugins\.environment\/)/],
  ['dialect', /^plugins\.dialect\//],
];

const groups = [
  'model',
  'model_weights',
  'sampling',
  'limits',
  'runtime',
  'images',
  'taskset',
  'scorers',
] as const;

/** Without a value these are the agent's own, in both runs. */
const leftToAgent: ReadonlySet<string> = new Set(['sampling', 'limits']);

/** The groups of values that both runs have alike; one that neither names is left out. */
export function sameGroups(
  a: ComparedRun,
  b: ComparedRun,
  differences: readonly PlanDifference[],
): string[] {
  const isOf = (group: string, path: string): boolean => {
    const own = path.replace(/^roles\.[^.]+\./, '');
    return own === group || own.startsWith(`${group}.`);
  };
  const named = [
    ...Object.keys({ ...a.measured, ...a.scorers, ...b.measured, ...b.scorers }),
    ...(tellWeights(a, b) ? ['model_weights'] : []),
  ];
  const isUnknown = (path: string): boolean =>
    isUnknownImage(path, a.measured) || isUnknownImage(path, b.measured);
  const isNamed = (group: string): boolean => {
    const own = named.filter((path) => isOf(group, path));
    return leftToAgent.has(group) || (own.length > 0 && !own.some(isUnknown));
  };
  return groups.filter(
    (group) => isNamed(group) && !differences.some(({ path }) => isOf(group, path)),
  );
}

function rank(path: string): number {
  const at = order.findIndex((start) =>
    start.endsWith('.') ? path.startsWith(start) : path === start,
  );
  return at < 0 ? order.length : at;
}

function byName(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
