import type { Config } from '../src/config.ts';

/** All that a record must say and no trace knows. */
export const settings: Config = {
  sourceKind: 'fixture',
  seed: 7,
  logprobs: true,
  policy: {
    revision: '3f0c2a9d4e5b6c7d8e9f00112233445566778899',
    tokenizerRevision: '3f0c2a9d4e5b6c7d8e9f00112233445566778899',
    chatTemplateSha256: '0f'.repeat(32),
  },
  harness: { version: '0.1.0', revision: 'aa11bb22cc33dd44ee55ff6677889900aabbccdd' },
  scorer: { name: 'exact', revision: '1' },
};
