import codex from '@vf/harness-codex';
import subprocess from '@vf/runtime-subprocess';
import { describeHarness } from '@vf/testkit/conformance';
import { describe } from 'vitest';

describe('codex', () => {
  describeHarness(() => codex, { runtime: () => subprocess, callsPerRefusal: 1 });
});
