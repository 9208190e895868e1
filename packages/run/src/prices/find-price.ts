import type { RunConfig } from '../config/run-config.ts';
import type { FoundPrice } from './list-price.ts';
import { listPrice } from './list-price.ts';

/** What a model costs at a base URL: as the config says, else by the list; null when neither knows it. */
export async function findPrice(
  model: string,
  baseUrl: string,
  { prices }: Pick<RunConfig, 'prices'>,
): Promise<FoundPrice | null> {
  const own = Object.hasOwn(prices, model) ? prices[model] : undefined;
  return own === undefined ? listPrice(baseUrl, model) : { price: own, source: 'config' };
}

/** Does every reply say what it cost? Source: openrouter.ai/docs/use-cases/usage-accounting. */
export function repliesNameCost(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && /^(.+\.)?openrouter\.ai$/.test(new URL(baseUrl).hostname);
}
