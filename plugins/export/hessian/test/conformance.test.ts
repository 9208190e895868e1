import { describeExport } from '@vf/testkit/conformance';
import exporter from '../src/index.ts';
import { settings } from './settings.ts';

describeExport({
  exporter,
  config: settings,
  omits: ['rollout-1', 'awkward', 'unscored', 'failed', null, 'two-solver', 'two-judge'],
});
