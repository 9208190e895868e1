import { describeEnvironment } from '@vf/testkit/conformance';
import environment from '../src/index.ts';

describeEnvironment(() => environment, {
  task: { key: 'sum', prompt: 'What is 2 + 2?' },
  replies: { solver: ['5', '4'], critic: ['That is one too many.'] },
});
