/** Variables that are likely secrets whatever the config says of them. */
const secretName = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/;

/** Names of the variables of `env` whose values must not leave in an export of a run with this config. */
export function secretNames(
  config: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): { readonly named: readonly string[]; readonly all: readonly string[] } {
  const named = namesIn(config);
  const guessed = Object.keys(env).filter((name) => secretName.test(name));
  return { named, all: [...new Set([...named, ...guessed])] };
}

/** What `api_key_var`, `headers_from_env` and `forward_env` name, in whatever table they stand. */
function namesIn(tree: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (key === 'api_key_var') return texts([value]);
    if (key === 'forward_env') return Array.isArray(value) ? texts(value) : [];
    if (typeof value !== 'object' || value === null) return [];
    if (key === 'headers_from_env') return texts(Object.values(value));
    return namesIn({ ...value });
  });
}

function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}
