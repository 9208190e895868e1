import { describeExport } from '@vf/testkit/conformance';
import exporter from '../src/index.ts';

describeExport({ exporter, config: { rows: 'rollouts' }, omits: [] });
describeExport({ exporter, config: { rows: 'turns' }, omits: [] });
