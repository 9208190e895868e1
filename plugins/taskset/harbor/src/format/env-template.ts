/** `${NAME}` or `${NAME:-text}`, and nothing around it. */
const template = /^\$\{([^}:]+)(?::-([\s\S]*))?\}$/;

export interface EnvTemplate {
  readonly name: string;
  /** null: the variable must be set. */
  readonly fallback: string | null;
}

/** A value is a template as a whole or not at all; null for plain text, `a-${NAME}` included. */
export function parseTemplate(value: string): EnvTemplate | null {
  const [, name, fallback] = template.exec(value) ?? [];
  return name === undefined ? null : { name, fallback: fallback ?? null };
}

/**
 * Values as a program gets them. Nothing of it is kept: what a template stands for may be secret.
 * @param lookUp the value of a variable where the rollout runs
 * @param onMissing called for a variable that is not set and has no default; must throw
 */
export function resolveEnv(
  env: Readonly<Record<string, string>>,
  lookUp: (name: string) => string | undefined,
  onMissing: (key: string, variable: string) => never,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([key, value]) => {
      const found = parseTemplate(value);
      if (found === null) return [key, value];
      return [key, lookUp(found.name) ?? found.fallback ?? onMissing(key, found.name)];
    }),
  );
}

/** What a row's env takes for a reference, wherever it stands. */
const reference = /\$\{\w+(?::-[^}]*)?\}/g;

/** The same value in the spelling of a row's env, where references may stand anywhere in the text. */
export function toRowValue(value: string): string {
  return parseTemplate(value) === null ? value.replaceAll(reference, (text) => `$${text}`) : value;
}
