import { describeDialect } from '@vf/testkit/conformance';
import { describe } from 'vitest';
import responses from '../src/index.ts';
import { replySamples, requestSamples } from './fixtures.ts';

describe('[responses/conformance]', () => {
  describeDialect(responses, {
    requests: requestSamples,
    replies: replySamples,
    secrets: [
      { headers: ['Authorization', 'Bearer sample-key'] },
      { headers: ['content-type', 'application/json', 'authorization', 'bearer sample-key'] },
    ],
    settings: [
      'model',
      'stream',
      'temperature',
      'topP',
      'topK',
      'maxOutputTokens',
      'stop',
      'seed',
      'reasoningEffort',
      'frequencyPenalty',
      'presencePenalty',
      'parallelToolCalls',
      'toolChoice',
      'responseFormat',
      'extra',
    ],
    means: { custom: true, namespaces: true },
  });
});
