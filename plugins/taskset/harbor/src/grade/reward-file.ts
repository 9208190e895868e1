import { VfError } from '@vf/core/errors';
import type { Rewards } from './rewards.ts';

const digits = String.raw`\d+(?:_\d+)*`;
/** A finite number as Python writes one: `1`, `-.5`, `1_000`, `1e-3`. */
const float = new RegExp(
  String.raw`^[+-]?(?:${digits}\.?(?:${digits})?|\.${digits})(?:e[+-]?${digits})?$`,
  'i',
);

/** `reward.txt`: one number. @throws VfError scoring/invalid_score */
export function parseRewardText(bytes: Uint8Array): Rewards {
  const text = decoded(bytes, 'reward.txt').trim();
  const value = float.test(text) ? Number(text.replaceAll('_', '')) : NaN;
  if (Number.isFinite(value)) return { reward: value };
  throw invalid('reward.txt', `holds ${shown(text)}, not one finite number`);
}

/** `reward.json`: keys with finite numbers; true and false are 1 and 0. @throws VfError scoring/invalid_score */
export function parseRewardJson(bytes: Uint8Array): Rewards {
  const text = decoded(bytes, 'reward.json');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('reward.json', `is no JSON: ${shown(text)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('reward.json', `holds ${shown(text)}, not an object of numbers`);
  return Object.fromEntries(Object.entries(value).map(([key, given]) => [key, score(key, given)]));
}

function score(key: string, given: unknown): number {
  if (typeof given === 'boolean') return Number(given);
  if (typeof given === 'number' && Number.isFinite(given)) return given;
  throw invalid(
    'reward.json',
    `has ${shown(JSON.stringify(given))} at ${key}, not a finite number`,
  );
}

function decoded(bytes: Uint8Array, file: string): string {
  if (bytes.length === 0) throw invalid(file, 'is empty');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid(file, 'is no UTF-8');
  }
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function invalid(file: string, what: string): VfError {
  return new VfError('scoring/invalid_score', `the verifier’s ${file} ${what}`, {
    hint: 'mend tests/test.sh',
  });
}
