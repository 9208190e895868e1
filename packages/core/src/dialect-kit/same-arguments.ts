import { canonicalJson } from '../trace/canonical-json.ts';
import { isObject, parseJson } from './json.ts';

/** Nested deeper than this, arguments are only equal as text. */
const deepest = 500;

/**
 * Are two argument strings the same call, when one of them went through an agent's JSON parser and back? Key order,
 * white space and escapes do not count, nor what JavaScript's numbers lose (`1.0`, integers above 2^53); no
 * arguments are `{}`. Text that is not JSON must be equal.
 */
export function sameArguments(sampled: string, said: string): boolean {
  if (sampled === said) return true;
  const [a, b] = [sampled.trim() || '{}', said.trim() || '{}'];
  const canonical = canonicalJson(a);
  if (canonical !== null && canonical === canonicalJson(b)) return true;
  const [left, right] = [parseJson(a), parseJson(b)];
  return left !== undefined && right !== undefined && sameValue(left, right, 0);
}

function sameValue(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (depth > deepest) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index], depth + 1));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key], depth + 1));
}
