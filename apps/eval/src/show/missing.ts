import { VfError } from '@vf/core/errors';

/** Of a part that was asked for by its number, of `count`. */
export function missing(what: 'branch' | 'call', number: number, count: number): VfError {
  return new VfError('usage/not_found', `the episode has no ${what} ${number}`, {
    hint: count === 0 ? `it has no ${what} at all` : `--${what} 1 … ${count}`,
  });
}
