import bash from '@vf/harness-bash';
import none from '@vf/harness-null';
import subprocess from '@vf/runtime-subprocess';
import { describeHarness } from '@vf/testkit/conformance';
import { describe } from 'vitest';

const runtime = () => subprocess;

describe('null', () => {
  describeHarness(() => none, { runtime, shell: false, callsPerRefusal: 1 });
});

describe.each(['responses', 'messages'] as const)('bash over %s', (dialect) => {
  describeHarness(() => bash, { runtime, dialect, callsPerRefusal: 1 });
});
