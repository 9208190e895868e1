import type { Problem } from '@vf/core/errors';

const secretName = /(^|[_-])(api_?key|key|token|secret|password|authorization)$/i;
const looksSecret =
  /^(sk|pk|rk|ghp|gho|xox[abp]|hf)[-_][A-Za-z0-9_-]{12,}$|^Bearer\s+\S{8,}$|^eyJ[\w-]{10,}\.[\w-]{10,}\./;
/** Names that end like a secret's and are none. */
const harmless = /(^|[_-])(max|min|input|output|total|primary|sort|cache)[_-](key|token)s?$|^key$/i;

/** The problem with a value that is, or is named like, a secret; null when it is neither. */
export function literalSecret(path: readonly string[], value: unknown): Problem | null {
  if (typeof value !== 'string' || value === '') return null;
  const name = path.at(-1) ?? '';
  const isNamed =
    secretName.test(name) &&
    !harmless.test(name) &&
    !isReference(value) &&
    !(isFromEnv(path) && variableName.test(value));
  if (!isNamed && !looksSecret.test(value) && !holdsCredentials(value)) return null;
  const fix = path.includes('env')
    ? `forward_env = ["${name}"]`
    : 'api_key_var = "NAME", or headers_from_env, with the value in the environment';
  return {
    path: path.join('.'),
    message: 'a secret stands in the configuration; name the variable that holds it',
    fix,
  };
}

/** As people name variables; a key in its place seldom reads so. */
const variableName = /^[A-Z][A-Z0-9_]*$/;

/** In a table of headers, each with the name of its variable. */
function isFromEnv(path: readonly string[]): boolean {
  return path.at(-2) === 'headers_from_env';
}

/** A URL with a password, or a key among its query. */
function holdsCredentials(value: string): boolean {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.password !== '' || [...url.searchParams.keys()].some((name) => secretName.test(name));
}

/** Values as they may be shown: of URLs of any scheme, a misspelt one too, without user, password and keys of a query. */
export function withoutCredentials(text: string): string {
  return text
    .replaceAll(/(?<=:\/\/)[^\s/"]+(?=@)/g, '…')
    .replaceAll(/(?<=[?&][\w-]*(?:key|token|secret|password|authorization)=)[^\s&"]+/gi, '…');
}

/** `{api_key}`, `${NAME}`: filled in where the rollout runs. */
function isReference(value: string): boolean {
  return /^\{\w+\}$/.test(value) || /^\$\{?\w+\}?$/.test(value);
}
