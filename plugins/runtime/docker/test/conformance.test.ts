import { describeRuntime } from '@vf/testkit/conformance';
import { describe } from 'vitest';
import runtime from '../src/index.ts';
import { noEngine } from './engine.ts';

const module = new URL('../src/index.ts', import.meta.url);

describe.skipIf(noEngine).each(['debian:bookworm', 'busybox:latest'])('a box of %s', (image) => {
  describeRuntime(() => runtime, {
    module,
    spec: { config: { image, pull: 'never' } },
    // The engine tells a death by signal as exit code 128 + n, like a shell.
    without: ['signals'],
    timeoutMs: 120_000,
  });
});
