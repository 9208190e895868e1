/**
 * Student's t distribution, as far as intervals and p values need it.
 *
 * Own code because the packages on offer do not fit: jstat's incomplete beta stops at about seven
 * digits, and
 * @stdlib's t quantile brings 224 packages (27 MB).
 */

const MAX_TERMS = 100_000;
const TINY = 1e-300;

/** ln Γ(x) for x > 0, by Lanczos' approximation with g = 7 and nine terms (about 15 digits). */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
    12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  let series = 0.9999999999998099;
  terms.forEach((term, i) => {
    series += term / (x + i);
  });
  const shifted = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(shifted) - shifted + Math.log(series);
}

/** The continued fraction of I_x(a, b), DLMF 8.17.22, evaluated by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  let value = TINY;
  let c = TINY;
  let d = 0;
  for (let j = 0; j < MAX_TERMS; j++) {
    const m = j >> 1;
    const term =
      j === 0
        ? 1
        : j % 2 === 0
          ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
          : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + term * d;
    if (Math.abs(d) < TINY) d = TINY;
    d = 1 / d;
    c = 1 + term / c;
    if (Math.abs(c) < TINY) c = TINY;
    value *= c * d;
    if (j > 0 && Math.abs(c * d - 1) < 1e-15) break;
  }
  return value;
}

/**
 * I_x(a, b), the regularised incomplete beta function; y is 1 − x, given apart to keep its digits.
 */
function regularizedBeta(x: number, y: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - regularizedBeta(y, x, b, a);
  const logFront = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(y);
  return (Math.exp(logFront) / a) * betaFraction(x, a, b);
}

/**
 * Two-sided p value: the chance that |T| is at least |t|.
 *
 * @param degrees degrees of freedom, above 0
 * @see Abramowitz & Stegun 26.7.1 with 26.5.27
 */
export function tTwoSided(t: number, degrees: number): number {
  const square = t * t;
  if (square === Infinity) return 0;
  return regularizedBeta(
    degrees / (degrees + square),
    square / (degrees + square),
    degrees / 2,
    0.5,
  );
}

/**
 * The t below which a share `p` of the distribution lies, by bisection on {@link tTwoSided}.
 *
 * @param p above 0 and below 1
 * @param degrees degrees of freedom, above 0
 */
export function tQuantile(p: number, degrees: number): number {
  if (p === 0.5) return 0;
  if (p < 0.5) return -tQuantile(1 - p, degrees);
  const bothTails = 2 * (1 - p);
  let low = 0;
  let high = 1;
  while (tTwoSided(high, degrees) > bothTails) high *= 2;
  while (high - low > 1e-14 * high) {
    const middle = (low + high) / 2;
    if (tTwoSided(middle, degrees) > bothTails) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
