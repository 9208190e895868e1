import { VfError } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { TestProject } from './project.ts';

test.each([
  ['export', 'csw', '--to csv'],
  ['harness', 'bahs', '--harness bash'],
  ['runtime', 'dokcer', '--runtime docker'],
  ['environment', 'jugde', '--environment judge'],
  ['dialect', 'mesages', 'client.dialects = ["messages"]'],
] as const)('an unknown %s %s is mended by %s', async (kind, given, typed) => {
  const project = new TestProject();
  const id = typed.match(/[a-z]+(?="|\]|$)/)?.[0] ?? '';
  const contributes = [{ kind, id, entry: './index.js' }];
  project.install(`vf-${kind}-${id}`, { vf: { manifest: 1, contributes } });
  const { signal } = new AbortController();
  const error = await project
    .host()
    .load(kind, given, signal)
    .catch((reason: unknown) => reason);
  if (!VfError.isInstance(error)) throw new Error('expected a VfError', { cause: error });
  expect(error.hint).toMatch(/^.* {4}or, if it is a package: /);
  expect(error.hint?.split('    or,')[0]).toBe(typed);
});
