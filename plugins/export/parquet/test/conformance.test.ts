import { describeExport } from '@vf/testkit/conformance';
import exporter from '../src/index.ts';

describeExport({ exporter, config: { rows: 'rollouts' }, omits: [] });
describeExport({ exporter, config: { rows: 'turns' }, omits: [] });
describeExport({
  exporter,
  config: { rows: 'samples' },
  omits: ['rollout-1', 'awkward', 'unscored', 'failed', null, 'two-solver', 'two-judge'],
});
