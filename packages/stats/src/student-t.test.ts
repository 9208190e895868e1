import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tQuantile, tTwoSided } from './student-t.ts';

/**
 * scipy 1.17.1: [stats.t.ppf(p, df) for p in (.8, .975, .9995)], [2 * stats.t.sf(t, df) for t in
 * (.1, 1, 2.5, 8)]
 */
const scipy: readonly [df: number, quantiles: number[], tails: number[]][] = [
  [
    1,
    [1.3763819204711738, 12.706204736174694, 636.6192487687897],
    [0.936548965138893, 0.5, 0.24223788318168682, 0.07916684832113109],
  ],
  [
    2,
    [1.0606601717798214, 4.302652729749462, 31.599054576445365],
    [0.9294654384141402, 0.4226497308103742, 0.12961172022151082, 0.01526807216533814],
  ],
  [
    3,
    [0.9784723123633042, 3.1824463052837078, 12.923978636687961],
    [0.9266523488008059, 0.3910022189557705, 0.08770664700806556, 0.004076577587785466],
  ],
  [
    7,
    [0.8960296443137653, 2.364624251592784, 5.407882520861828],
    [0.9231480596047924, 0.3506166628202074, 0.04099221858575289, 9.114921170875357e-5],
  ],
  [
    30,
    [0.8537672614712979, 2.0422724563012378, 3.6459586350420627],
    [0.9210096117902712, 0.3253086154260302, 0.01811564906806669, 6.265822475700759e-9],
  ],
  [
    99,
    [0.8452670319534972, 1.9842169515864174, 3.391528833363685],
    [0.9205465507375823, 0.3197484741393014, 0.014062596921149069, 2.4003038210568853e-12],
  ],
  [
    1249,
    [0.8419091111931755, 1.9618651315986742, 3.298333527281783],
    [0.9203603735498147, 0.3175042006452729, 0.012546760710846934, 2.818422355316682e-15],
  ],
  [
    100_000,
    [0.8416248279969009, 1.9599877075346095, 3.2906240314119137],
    [0.9203445259067263, 0.3173129275641102, 0.012420919192559051, 1.2573919876256345e-15],
  ],
];

const apart = (got: number, want: number): number => Math.abs(got / want - 1);

test.each(scipy)('quantiles and tails at %d degrees agree with scipy', (df, quantiles, tails) => {
  [0.8, 0.975, 0.9995].forEach((p, i) =>
    expect(apart(tQuantile(p, df), quantiles[i] ?? NaN)).toBeLessThan(1e-9),
  );
  [0.1, 1, 2.5, 8].forEach((t, i) =>
    expect(apart(tTwoSided(t, df), tails[i] ?? NaN)).toBeLessThan(1e-9),
  );
});

test('the printed table of the 97.5 % point (Abramowitz & Stegun, table 26.10)', () => {
  const printed = { 4: 2.776, 5: 2.571, 10: 2.228, 20: 2.086, 60: 2.0, 120: 1.98 };
  for (const [df, t] of Object.entries(printed)) {
    expect(tQuantile(0.975, Number(df))).toBeCloseTo(t, 3);
  }
});

test('quantile and tail are inverse, and the quantile is odd around one half', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.501, max: 0.9999, noNaN: true }),
      fc.integer({ min: 1, max: 5000 }),
      (p, df) => {
        const t = tQuantile(p, df);
        expect(tTwoSided(t, df)).toBeCloseTo(2 * (1 - p), 10);
        expect(tQuantile(1 - p, df)).toBeCloseTo(-t, 8);
      },
    ),
  );
});

test('the edges: no difference, and a t beyond all numbers', () => {
  expect(tTwoSided(0, 5)).toBe(1);
  expect(tTwoSided(Infinity, 5)).toBe(0);
  expect(tQuantile(0.5, 5)).toBe(0);
});
