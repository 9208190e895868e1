import type { Price } from '@vf/core';

interface ListedPrice {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly cache_write?: number;
  readonly long?: {
    readonly above: number;
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
  };
}

interface PriceList {
  /** Day of the older one of its sources. */
  readonly as_of: string;
  readonly providers: Readonly<
    Record<
      string,
      {
        readonly hosts: readonly string[];
        readonly models: Readonly<Record<string, ListedPrice>>;
      }
    >
  >;
}

/** A price as a run uses it, and where it comes from. */
export interface FoundPrice {
  readonly price: Price;
  /** `config`, or `list of 2026-07-02`. */
  readonly source: string;
}

/**
 * The price that a provider itself publishes for a model, from the dated list in this folder. Only for the provider's
 * own host: another one that serves a model of this name asks what it likes.
 */
export async function listPrice(baseUrl: string, model: string): Promise<FoundPrice | null> {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : null;
  if (host === null) return null;
  // Most of a start's time is loading; without a model to ask there is no need for it.
  const { default: list }: { readonly default: PriceList } = await import('./list-prices.json', {
    with: { type: 'json' },
  });
  const provider = Object.values(list.providers).find(({ hosts }) => hosts.includes(host));
  const models = provider?.models ?? {};
  const listed = Object.hasOwn(models, model) ? models[model] : undefined;
  return listed === undefined
    ? null
    : { price: priceFrom(listed), source: `list of ${list.as_of}` };
}

function priceFrom({ cache_write: cacheWrite, ...price }: ListedPrice): Price {
  return cacheWrite === undefined ? price : { ...price, cacheWrite };
}
