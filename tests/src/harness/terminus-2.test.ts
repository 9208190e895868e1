import subprocess from '@vf/runtime-subprocess';
import terminus from '@vf/harness-terminus-2';
import { typing } from '@vf/testkit';
import { describeHarness } from '@vf/testkit/conformance';
import { describe } from 'vitest';

describe('terminus-2', () => {
  describeHarness(() => terminus, {
    runtime: () => subprocess,
    manner: typing,
    callsPerRefusal: 1,
  });
});
