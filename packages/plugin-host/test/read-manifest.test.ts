import { manifestSchema } from '@vf/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readManifest } from '../src/read-manifest.ts';

const odd = fc.oneof(fc.constant(undefined), fc.constant(null), fc.integer(), fc.string());
const or = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: usual }, odd);

const names = or(fc.array(or(fc.string()), { maxLength: 2 }));
const contribution = fc.record(
  {
    kind: or(fc.constantFrom('taskset', 'harness', 'runtime', 'executor', 'judge', 'toString')),
    id: or(fc.constantFrom('sql', 'a.b_c-1', '-x', 'Sql', '')),
    entry: or(fc.constantFrom('.', './sql', './', 'sql', '..')),
    summary: or(fc.string()),
    requires: or(fc.record({ bins: names, env: names, files: odd }, { requiredKeys: [] })),
    entri: odd,
  },
  { requiredKeys: ['kind', 'id'] },
);
const manifest = or(
  fc.record(
    { manifest: or(fc.constant(1)), contributes: or(fc.array(or(contribution))), extra: odd },
    { requiredKeys: ['manifest', 'contributes'] },
  ),
);

test('accepts what core’s schema accepts, and reads the same', () => {
  fc.assert(
    fc.property(manifest, (given) => {
      // As it comes from a file: what is undefined is not there.
      const vf: unknown = given === undefined ? undefined : JSON.parse(JSON.stringify(given));
      const expected = manifestSchema.safeParse(vf);
      const { contributes, problem } = readManifest(vf);
      expect(problem === null).toBe(expected.success);
      expect(contributes).toEqual(expected.data?.contributes ?? []);
    }),
    { numRuns: 500 },
  );
});

test.each([
  [{ manifest: 1 }, 'vf.contributes: expected a list of what the package brings; got nothing'],
  [
    { manifest: 1, contributes: [{ kind: 'taskset', id: 'x', entri: '.' }] },
    'vf.contributes[0].entri is unknown; nearest: entry',
  ],
  [
    { manifest: 1, contributes: [{ kind: 'judge', id: 'x' }] },
    'vf.contributes[0].kind: expected one of dialect, runtime, harness, taskset, environment, client, export, executor; got "judge"',
  ],
  [
    { manifest: 1, contributes: [{ kind: 'taskset', id: 'x', requires: { bins: 'git' } }] },
    'vf.contributes[0].requires.bins: expected a list of texts; got "git"',
  ],
])('says where and what: %j', (vf, problem) => {
  expect(readManifest(vf)).toEqual({ contributes: [], problem });
});
