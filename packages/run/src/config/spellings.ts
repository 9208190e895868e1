/** Other spellings of one place in the config; `*` stands for any one key and is carried over. */
const renamed: readonly (readonly [from: string, to: string])[] = [
  ['runtime.type', 'runtime.id'],
  ['num_rollouts', 'rollouts_per_example'],
  ['group_size', 'rollouts_per_example'],
  ['select.limit', 'num_examples'],
  ['run.name', 'run'],
  ['workers', 'serve.workers'],
  ['env.id', 'environment.id'],
  ['env.taskset', 'taskset'],
  ['env.agent.harness', 'harness'],
  ['env.agent.runtime.type', 'runtime.id'],
  ['env.agent.runtime', 'runtime'],
  ['env.agent.model', 'model'],
  ['env.agent.client', 'client'],
  ['env.agent.sampling', 'sampling'],
  ['env.agent.timeout', 'timeout'],
  ['env.agent.retries', 'retries'],
  ['env.agent.max_turns', 'limits.max_turns'],
  ['env.agent.max_input_tokens', 'limits.max_input_tokens'],
  ['env.agent.max_output_tokens', 'limits.max_output_tokens'],
  ['env.agent.max_total_tokens', 'limits.max_total_tokens'],
  ['env.agent.max_cost', 'limits.max_cost'],
  ['env.*.runtime.type', 'roles.*.runtime.id'],
  ['env.*.max_turns', 'roles.*.limits.max_turns'],
  ['env.*.max_input_tokens', 'roles.*.limits.max_input_tokens'],
  ['env.*.max_output_tokens', 'roles.*.limits.max_output_tokens'],
  ['env.*.max_total_tokens', 'roles.*.limits.max_total_tokens'],
  ['env.*.max_cost', 'roles.*.limits.max_cost'],
  ['roles.*.runtime.type', 'roles.*.runtime.id'],
  ['env.*', 'roles.*'],
];

const renames = renamed.map(([from, to]) => ({ from: from.split('.'), to: to.split('.') }));

/** Tables whose keys the user makes up: names of variables, models, headers, rewards; `*` stands for any one key. */
const records: readonly (readonly string[])[] = [
  ['harness', 'env'],
  ['client', 'headers'],
  ['client', 'headers_from_env'],
  ['prices'],
  ['providers'],
  ['providers', '*', 'headers'],
  ['rewards'],
  ['metrics'],
  ['stops'],
  ['judges'],
  ['judges', '*', 'client', 'headers'],
  ['judges', '*', 'client', 'headers_from_env'],
  ['roles'],
];

/** The canonical snake_case path of a path as the user spelt it. */
export function canonicalPath(spelt: readonly string[]): string[] {
  const snake = spelt.map((key, i) => (isInRecord(spelt, i) ? key : key.replaceAll('-', '_')));
  for (const { from, to } of renames) {
    const star = matchPrefix(snake, from);
    if (star === null) continue;
    return [...to.map((key) => (key === '*' ? star : key)), ...snake.slice(from.length)];
  }
  return snake;
}

/** Is the key at `index` one that the user made up? Plugin options are not: those are mapped at their own schema. */
function isInRecord(path: readonly string[], index: number): boolean {
  const tail = path[0] === 'roles' || path[0] === 'env' ? path.slice(2) : path;
  const shift = path.length - tail.length;
  return (
    records.some(
      (record) =>
        index - shift === record.length &&
        record.every((key, i) => key === '*' || tail[i]?.replaceAll('-', '_') === key),
    ) ||
    (path[0] === 'roles' && index === 1)
  );
}

/** What `*` stood for, '' without one; null when `path` does not begin with `pattern`. */
function matchPrefix(path: readonly string[], pattern: readonly string[]): string | null {
  if (path.length < pattern.length) return null;
  let star = '';
  for (const [i, key] of pattern.entries()) {
    if (key === '*') star = path[i] ?? '';
    else if (path[i] !== key) return null;
  }
  return star;
}

/** Ids that verifiers spells with an underscore. */
export function canonicalId(id: string): string {
  return id === 'claude_code' || id === 'best_of_n' ? id.replaceAll('_', '-') : id;
}
