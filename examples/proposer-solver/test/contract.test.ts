import { describeEnvironment, describeTaskset } from '@vf/testkit/conformance';
import environment from '../src/environment.ts';
import taskset from '../src/taskset.ts';

describeTaskset(() => taskset);

describeEnvironment(() => environment, {
  task: { key: '1-digits', prompt: 'Make up a sum of two numbers of 1 digits.' },
  replies: { proposer: ['I propose 7 + 8.'], solver: ['15'] },
});
