import { describeRuntime } from '@vf/testkit/conformance';
import { describe } from 'vitest';
import runtime from '../src/index.ts';
import { noEngine } from './engine.ts';

const module = new URL('../src/index.ts', import.meta.url);

// The engine tells a death by signal as exit code 128 + n, like a shell.
const signals = 'signals';
// The wget of a static busybox crashes where there is no glibc, so nothing in that image can ask a server.
const images = [
  { image: 'debian:bookworm', without: [signals] },
  { image: 'busybox:latest', without: [signals, 'reach'] },
] as const;

describe.skipIf(noEngine).each(images)('a box of $image', ({ image, without }) => {
  const spec = { config: { image, pull: 'never' } };
  describeRuntime(() => runtime, { module, spec, without, timeoutMs: 120_000 });
});
