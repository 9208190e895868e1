import { describeExport } from '@vf/testkit/conformance';
import exporter from '../src/index.ts';

describeExport({
  exporter,
  config: {},
  omits: ['rollout-1', 'awkward', 'unscored', 'failed', null, 'two-solver', 'two-judge'],
});
