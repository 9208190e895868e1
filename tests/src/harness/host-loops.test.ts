import bash from '@vf/harness-bash';
import none from '@vf/harness-null';
import subprocess from '@vf/runtime-subprocess';
import type { WireDialect } from '@vf/testkit';
import { describeHarness } from '@vf/testkit/conformance';
import { describe } from 'vitest';

const dialects: readonly WireDialect[] = ['chat-completions', 'responses', 'messages'];
const runtime = () => subprocess;

describe.each(dialects)('null over %s', (dialect) => {
  describeHarness(() => none, { runtime, dialect, shell: false, callsPerRefusal: 1 });
});

describe.each(dialects)('bash over %s', (dialect) => {
  describeHarness(() => bash, { runtime, dialect, callsPerRefusal: 1 });
});
