import { expect, test } from 'vitest';
import list from '../src/prices/list-prices.json' with { type: 'json' };
import { findPrice, repliesNameCost } from '../src/prices/find-price.ts';

interface Listed {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly long?: { readonly input: number };
}

const providers: Readonly<
  Record<
    string,
    { readonly hosts: readonly string[]; readonly models: Readonly<Record<string, Listed>> }
  >
> = list.providers;

const openai = 'https://api.openai.com/v1';

test('a model of the list has its price at its provider’s own host, and nowhere else', async () => {
  expect(await findPrice('gpt-5.2', openai, { prices: {} })).toEqual({
    price: { input: 1.75, output: 14, cached: 0.175 },
    source: `list of ${list.as_of}`,
  });
  const claude = await findPrice('claude-opus-4-5', 'https://api.anthropic.com', { prices: {} });
  expect(claude?.price).toEqual({ input: 5, output: 25, cached: 0.5, cacheWrite: 6.25 });
  for (const url of ['http://127.0.0.1:8000/v1', 'https://api.anthropic.com', 'nowhere', ''])
    expect(await findPrice('gpt-5.2', url, { prices: {} })).toBeNull();
  for (const model of ['gpt-9', 'constructor', '__proto__'])
    expect(await findPrice(model, openai, { prices: {} })).toBeNull();
});

test('the config wins over the list, and knows models that it lacks', async () => {
  const price = { input: 1, output: 2 };
  for (const [model, url] of [
    ['gpt-5.2', openai],
    ['mine', 'http://127.0.0.1:8000/v1'],
  ] as const)
    expect(await findPrice(model, url, { prices: { [model]: price } })).toEqual({
      price,
      source: 'config',
    });
});

test('replies of OpenRouter name their cost', () => {
  expect(repliesNameCost('https://openrouter.ai/api/v1')).toBe(true);
  expect(repliesNameCost('https://notopenrouter.ai/api/v1')).toBe(false);
  expect(repliesNameCost('')).toBe(false);
});

test('the list is dated, has its sources, and figures that can be true', () => {
  expect(list.as_of).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(list.sources.length).toBeGreaterThan(1);
  const hosts = Object.values(providers).flatMap((provider) => provider.hosts);
  expect(new Set(hosts).size).toBe(hosts.length);
  for (const { models } of Object.values(providers))
    for (const [model, { input, output, cached = 0, long }] of Object.entries(models)) {
      expect(input, model).toBeGreaterThan(0);
      expect(output, model).toBeGreaterThan(0);
      expect(cached, model).toBeLessThan(input);
      expect(long?.input ?? Infinity, model).toBeGreaterThan(input);
    }
});
