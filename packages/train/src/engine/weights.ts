import type { WeightSpan } from '@vf/core';
import { listOf, numberOf, objectOf, stringOf } from '@vf/core/dialect';
import { noSample } from './engine-failed.ts';

/**
 * Which version of the weights sampled which of `count` ids, as vLLM and SGLang tell it.
 * @throws EngineFailed when the spans are not end to end over all of them
 */
export function weightsOf(
  told: unknown,
  count: number,
): { readonly weights?: readonly WeightSpan[] } {
  if (told === undefined || told === null || count === 0) return {};
  const spans = listOf(told).map(objectOf).map(spanOf);
  const isWhole = spans.every(
    ({ start, end }, at) => start === (spans[at - 1]?.end ?? 0) && end >= start,
  );
  if (!isWhole || spans.at(-1)?.end !== count) {
    throw noSample(`the engine told weight versions that do not cover the ${count} sampled tokens`);
  }
  return { weights: spans };
}

function spanOf(told: Readonly<Record<string, unknown>>): WeightSpan {
  const { version } = told;
  const name = typeof version === 'number' ? String(version) : stringOf(version);
  if (name === null) throw noSample('the engine told weight versions without their names');
  return {
    version: name,
    start: numberOf(told['start']) ?? Number.NaN,
    end: numberOf(told['end']) ?? Number.NaN,
  };
}

/** The spans of the first `length` ids. */
export function weightsUpTo(spans: readonly WeightSpan[], length: number): readonly WeightSpan[] {
  return spans
    .filter(({ start }) => start < length)
    .map((span) => ({ ...span, end: Math.min(span.end, length) }));
}
