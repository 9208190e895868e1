import { describeExport } from '@vf/testkit/conformance';
import exporter from '../src/index.ts';

describeExport({ exporter, config: {}, omits: [] });
