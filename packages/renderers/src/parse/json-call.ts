import { parseEntries } from '../python/parse-json.ts';
import type { ParsedCall } from '../parsed.ts';

/** A call written as a JSON object with a name and arguments. */
export function readJsonCall(
  raw: string,
  span: readonly [number, number],
  closed: boolean,
  argumentsKey: string,
): ParsedCall {
  const none = { raw, span, name: null, arguments: null };
  if (!closed) return { ...none, status: 'unclosed_block' };
  const entries = parseEntries(raw);
  if (entries === undefined) return { ...none, status: 'invalid_json' };
  const name = entries.get('name')?.value;
  const given = entries.get(argumentsKey);
  const text = typeof given?.value === 'string' ? given.value : (given?.text ?? '{}');
  if (typeof name !== 'string' || name === '') {
    return { ...none, arguments: text, status: 'missing_name' };
  }
  return { raw, span, name, arguments: text, status: 'ok' };
}
