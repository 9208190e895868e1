import type { Config } from '../src/config.ts';

/** All that a record must say and no trace knows. */
export const settings: Config = {
  sourceKind: 'fixture',
  seed: 7,
  logprobs: true,
  modelRevision: '3f0c2a9d4e5b6c7d8e9f00112233445566778899',
  tokenizerRevision: '3f0c2a9d4e5b6c7d8e9f00112233445566778899',
  chatTemplateSha256: '0f'.repeat(32),
  harnessVersion: '0.1.0',
  harnessRevision: 'aa11bb22cc33dd44ee55ff6677889900aabbccdd',
  scorer: 'exact',
  scorerRevision: '1',
};
