import { VfError } from '@vf/core/errors';

/** Says the engine in these words that no addresses are left for a network? Then its error, else null. */
export function noAddresses(words: string, message: string): VfError | null {
  if (!/address pool/.test(words)) return null;
  return new VfError('runtime/no_addresses', message, {
    hint: 'fewer boxes at once (-c), docker network prune, or default-address-pools in daemon.json',
  });
}
