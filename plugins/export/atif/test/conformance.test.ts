import { describeExport } from '@vf/testkit/conformance';
import exporter from '../src/index.ts';

describeExport({ exporter, config: { tokens: true }, omits: ['failed', null] });
