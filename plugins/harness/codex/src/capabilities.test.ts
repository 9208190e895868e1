import { expect, test } from 'vitest';
import { capabilitiesOf } from './capabilities.ts';
import { configSchema } from './config.ts';

test.each([
  [{}, true],
  [{ settings: { web_search: 'live' } }, true],
  [{ extraTools: false }, false],
  [{ settings: { web_search: 'disabled' } }, false],
])('%j: a provider is to search the web: %s', (config, searches) => {
  const { providerTools } = capabilitiesOf(configSchema.parse(config));
  expect(providerTools !== undefined).toBe(searches);
});
