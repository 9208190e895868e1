import { errorCodes, familyOf } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { includable } from '../src/includable.ts';
import { ErrorGroups } from '../src/show/error-groups.ts';
import { remedyOf } from '../src/show/remedy.ts';
import { entry } from './entry.ts';

test.each([
  ['provider/rate_limited', 'vf resume k7fq'],
  ['provider/auth', 'vf resume k7fq, once the key that client.api_key_var names is right'],
  ['cancelled', 'vf resume k7fq'],
  ['internal/unexpected', 'vf resume k7fq'],
  [
    'harness/no_model_call',
    'vf resume k7fq --include harness, once it is mended; with other settings of the harness: vf eval @ outputs/k7fq/config.toml --run NEW --harness.…',
  ],
  [
    'runtime/exec_failed',
    'vf resume k7fq, once the program can be started; with other settings of the harness: vf eval @ outputs/k7fq/config.toml --run NEW --harness.…',
  ],
  [
    'training/no_sample',
    'vf resume k7fq --include training samples them again; what cannot be told exactly stays out of the samples then',
  ],
  ['taskset/setup_failed', 'vf resume k7fq --include taskset, once it is mended'],
  ['scoring/hook_failed', 'vf rescore k7fq, once the scorer is mended'],
  ['scoring/box_gone', 'vf resume k7fq --include scoring, once it is mended'],
  ['misfit/plan', 'vf eval @ outputs/k7fq/config.toml --run NEW, with what fits together'],
])('%s: %s', (code, remedy) => {
  expect(
    remedyOf(code, { typed: 'k7fq', dir: 'outputs/k7fq', boxToScore: false, elsewhere: false }),
  ).toBe(remedy);
});

test('a score of the box is never taken again, and no remedy names a family that resume does not take', () => {
  for (const code of Object.keys(errorCodes)) {
    const remedy = remedyOf(code, {
      typed: 'k7fq',
      dir: 'outputs/k7fq',
      boxToScore: true,
      elsewhere: false,
    });
    expect(remedy).not.toContain('rescore');
    const family = / --include (\w+)/.exec(remedy)?.[1];
    if (family === undefined) continue;
    expect(includable).toContain(family);
    expect(familyOf(code)).toBe(family);
  }
});

test('failures alike count as one, by code, stage and what they say', () => {
  const groups = new ErrorGroups();
  const failed = (code: string, message: string, phase?: string): void =>
    groups.add(entry({ error: { code, message, ...(phase === undefined ? {} : { phase }) } }));
  failed('runtime/box_gone', 'box 12 died after 3 s', 'agent');
  failed('runtime/box_gone', 'box 13 died after 41.5 s', 'agent');
  failed('runtime/box_gone', 'box 14 died after 2 s', 'setup');
  failed('runtime/box_gone', 'no box', 'boot');
  failed('harness/failed', 'box 12 died after 3 s');
  groups.add(entry());
  expect(groups.list()).toMatchObject([
    { code: 'runtime/box_gone', count: 2, phases: { agent: 2 } },
    { code: 'runtime/box_gone', count: 1, phases: { setup: 1 } },
    { code: 'runtime/box_gone', count: 1, fingerprint: 'no box' },
    { code: 'harness/failed', count: 1, phases: { unknown: 1 } },
  ]);
});

test('with a place that threw, hook and place tell failures apart, not what they say', () => {
  const groups = new ErrorGroups();
  const failed = (message: string, at: string): void =>
    groups.add(
      entry({
        reward: null,
        error: { code: 'scoring/hook_failed', message, phase: 'scoring', at },
      }),
    );
  failed('reward exact: cannot read Two', '/sums.ts:1:1');
  failed('reward exact: cannot read Five, I think', '/sums.ts:1:1');
  failed('reward exact: cannot read Two', '/sums.ts:2:1');
  failed('reward exact2: cannot read Two', '/sums.ts:1:1');
  groups.add(entry());
  expect(groups.totals).toEqual({ rollouts: 5, unscored: 4 });
  expect(groups.list()).toMatchObject([
    { count: 2, at: '/sums.ts:1:1', others: ['reward exact: cannot read Five, I think'] },
    { count: 1, at: '/sums.ts:2:1', others: [] },
    { count: 1, at: '/sums.ts:1:1', others: [] },
  ]);
});
