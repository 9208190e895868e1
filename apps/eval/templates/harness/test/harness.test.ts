import runtime from '@vf/runtime-subprocess';
import { describeHarness } from '@vf/testkit/conformance';
import harness from '../src/index.ts';

describeHarness(() => harness, { runtime: () => runtime });
