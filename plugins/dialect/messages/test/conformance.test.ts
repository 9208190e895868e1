import { describeDialect } from '@vf/testkit/conformance';
import messages from '../src/index.ts';
import { replySamples, requestSamples } from './fixtures.ts';

describeDialect(messages, {
  requests: requestSamples,
  replies: replySamples,
  secrets: [
    { headers: ['X-Api-Key', 'sample-key'] },
    { headers: ['anthropic-version', '2023-06-01', 'authorization', 'Bearer sample-key'] },
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
    'frequencyPenalty',
    'presencePenalty',
    'reasoningEffort',
    'extra',
  ],
  means: { restatedReasoning: false },
});
