import { describeDialect } from '@vf/testkit/conformance';
import chat from '../src/index.ts';
import { replySamples, requestSamples } from './fixtures.ts';

describeDialect(chat, {
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
    'responseFormat',
    'extra',
  ],
  means: { custom: true },
});
