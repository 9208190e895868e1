import { expect, test } from 'vitest';
import { isImageName } from './reference.ts';

const digest = `sha256:${'a1'.repeat(32)}`;

test.each([
  'debian',
  'debian:bookworm',
  'library/debian:12.1-slim',
  'ghcr.io/Org'.toLowerCase(),
  'REGISTRY.example:5000/team/sub.dir/a__b-c:V1.0_x',
  'localhost:5000/x',
  '[::1]:5000/x',
  `debian@${digest}`,
  `debian:bookworm@${digest}`,
  digest,
  'a1b2c3d4e5f6',
  'vf-build:0123456789abcdef',
])('%s is the name of an image', (name) => {
  expect(isImageName(name)).toBe(true);
});

test.each([
  '',
  '--privileged',
  'X Y',
  'Debian',
  'a//b',
  'a:',
  'a:b:c',
  'a@sha256:1',
  'a b',
  '/a',
  'a/',
])('%j is none', (name) => {
  expect(isImageName(name)).toBe(false);
});
