import { areEqual, fourDigits } from './byte-steps.ts';

/** Bytes to compare with, which stay as they are. */
export class Written {
  readonly length: number;
  readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.length = bytes.length;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  static of(text: string): Written {
    return new Written(Buffer.from(text));
  }
}

/** Where reading has failed; whoever goes on from there fails too. */
export const failed = -1;

/**
 * Reads JSON as it is written without white space, from one place to the next; what does not fit fails, and so does what
 * was read from a place that is none.
 */
export class JsonNumbers {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #length: number;
  /** What `integer` has read. */
  whole = 0;
  /** What `float32` has read. */
  value = 0.5;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#length = bytes.length;
  }

  /** The byte at a place, `failed` where there is none. */
  byte(at: number): number {
    return at >= 0 && at < this.#length ? (this.#bytes[at] as number) : failed;
  }

  /** @returns the place behind these bytes, where they come next */
  pass(at: number, { view, length }: Written): number {
    if (at < 0 || at + length > this.#length) return failed;
    return areEqual(this.#view, at, view, 0, length) ? at + length : failed;
  }

  /** @returns the place behind the bytes between two places, where they come again */
  repeat(at: number, from: number, to: number): number {
    const length = to - from;
    if (at < 0 || at + length > this.#length) return failed;
    return areEqual(this.#view, at, this.#view, from, length) ? at + length : failed;
  }

  /** A whole number from 0 up to 2³¹ − 1. @returns the place behind it */
  integer(at: number): number {
    const bytes = this.#bytes;
    if (at < 0) return failed;
    let end = at;
    let value = 0;
    if (at + 4 <= this.#length) {
      const four = fourDigits(this.#view.getInt32(at, true));
      if (four >= 0) [end, value] = [at + 4, four];
    }
    for (let digit = digitAt(bytes, end); digit >= 0; digit = digitAt(bytes, ++end)) {
      value = value * 10 + digit;
      if (value >= 2 ** 31) return failed;
    }
    this.whole = value;
    return this.#isWhole(at, end) ? end : failed;
  }

  /** A number as `JSON.parse` reads it, rounded to 32 bits. @returns the place behind it */
  float32(at: number): number {
    if (at < 0) return failed;
    const isNegative = this.byte(at) === minus;
    const begin = isNegative ? at + 1 : at;
    this.value = 0;
    let end = this.#digits(begin);
    if (!this.#isWhole(begin, end)) return failed;
    let power = 0;
    if (this.byte(end) === point) {
      const fraction = end + 1;
      end = this.#digits(fraction);
      power = fraction - end;
      if (power === 0) return failed;
    }
    const digits = this.value;
    if ((this.byte(end) | 32) === exponent) {
      end = this.#exponent(end + 1);
      power += this.value;
      if (end === failed) return failed;
    }
    const value = about(digits, power);
    // Each step above may have rounded; mostly all that it can be is one number of 32 bits.
    const rounded = Math.fround(value - value * slack);
    const isCertain = rounded === Math.fround(value + value * slack);
    const size = isCertain
      ? rounded
      : Math.fround(Number(this.#bytes.toString('latin1', begin, end)));
    this.value = isNegative ? -size : size;
    return Number.isFinite(size) ? end : failed;
  }

  /** Appends digits to `value`, as exact as it can hold them. @returns the place behind them */
  #digits(from: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    let { value } = this;
    let at = from;
    for (; at + 4 <= this.#length; at += 4) {
      const four = fourDigits(view.getInt32(at, true));
      if (four < 0) break;
      value = value * 10_000 + four;
    }
    for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, ++at)) {
      value = value * 10 + digit;
    }
    this.value = value;
    return at;
  }

  #exponent(begin: number): number {
    const sign = this.byte(begin);
    const at = sign === minus || sign === plus ? begin + 1 : begin;
    this.value = 0;
    const end = this.#digits(at);
    if (sign === minus) this.value = -this.value;
    return end === at ? failed : end;
  }

  /** Are these digits a number's? It has some, and begins with 0 only alone. */
  #isWhole(from: number, to: number): boolean {
    return to > from && (to === from + 1 || this.#bytes[from] !== zero);
  }
}

/** `-`, `+`, `.`, `0`, `e` */
const [minus, plus, point, zero, exponent] = [45, 43, 46, 48, 101];

/** Far more than the rounding of some twenty digits, far less than the distance of two numbers of 32 bits. */
const slack = 2 ** -45;

/** Powers of ten, each as exact as it can be. */
const powers = Float64Array.from({ length: 64 }, (_, places) => Number(`1e${places}`));

/** `digits` × 10^`power`; NaN, which is never certain, where that is out of the ordinary. */
function about(digits: number, power: number): number {
  if (power <= -powers.length || power >= powers.length || digits > 1e30) return Number.NaN;
  return power < 0 ? digits / (powers[-power] as number) : digits * (powers[power] as number);
}

/** The digit at a place, a negative number where there is none. */
function digitAt(bytes: Uint8Array, at: number): number {
  const digit = (bytes[at] ?? 0) - zero;
  return digit > 9 ? failed : digit;
}
