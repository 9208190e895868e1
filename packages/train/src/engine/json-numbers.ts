/** Bytes to compare with, four at a time. */
export class Written {
  readonly length: number;
  readonly view: DataView;

  constructor(text: string) {
    const bytes = Uint8Array.from(Buffer.from(text));
    this.length = bytes.length;
    this.view = new DataView(bytes.buffer);
  }
}

/** Reads JSON as it is written without white space, number by number; any step that does not fit fails. */
export class JsonNumbers {
  readonly bytes: Buffer;
  /** The next byte to read. */
  at: number;
  readonly #view: DataView;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Are these the next bytes? Then they are read. */
  takes({ view, length }: Written): boolean {
    return this.#takes(view, 0, length);
  }

  /** Do the bytes between two places come again? Then they are read. */
  repeats(from: number, to: number): boolean {
    return this.#takes(this.#view, from, to);
  }

  #takes(other: DataView, from: number, to: number): boolean {
    const view = this.#view;
    const ahead = this.at - from;
    if (ahead + to > view.byteLength) return false;
    let index = from;
    for (; index + 4 <= to; index += 4) {
      if (view.getInt32(ahead + index) !== other.getInt32(index)) return false;
    }
    for (; index < to; index++) {
      if (view.getUint8(ahead + index) !== other.getUint8(index)) return false;
    }
    this.at = ahead + to;
    return true;
  }

  /** The next value, as `JSON.parse` reads it; NaN, which JSON has not, where it is no number. */
  number(): number {
    const { bytes } = this;
    const from = this.at;
    let at = from;
    const isNegative = bytes[at] === minus;
    if (isNegative) at++;
    const whole = at;
    let digits = 0;
    let places = 0;
    while (isDigit(bytes[at])) digits = digits * 10 + (bytes[at++] as number) - zero;
    if (at === whole || (bytes[whole] === zero && at > whole + 1)) return Number.NaN;
    if (bytes[at] === point) {
      const fraction = ++at;
      while (isDigit(bytes[at])) digits = digits * 10 + (bytes[at++] as number) - zero;
      places = at - fraction;
      if (places === 0) return Number.NaN;
    }
    const isExact = digits <= Number.MAX_SAFE_INTEGER && places < powers.length;
    if (((bytes[at] ?? 0) | 32) === exponent) {
      at = this.#endOfExponent(at + 1);
      if (at < 0) return Number.NaN;
    } else if (isExact) {
      // Both are exact, so the division rounds once, as a parser does.
      this.at = at;
      const value = digits / (powers[places] as number);
      return isNegative ? -value : value;
    }
    this.at = at;
    return Number(bytes.toString('latin1', from, at));
  }

  #endOfExponent(begin: number): number {
    const { bytes } = this;
    let at = begin;
    if (bytes[at] === minus || bytes[at] === plus) at++;
    const from = at;
    while (isDigit(bytes[at])) at++;
    return at === from ? -1 : at;
  }
}

/** `-`, `+`, `.`, `0`, `e` */
const [minus, plus, point, zero, exponent] = [45, 43, 46, 48, 101];

/** Powers of ten that are exact. */
const powers = Float64Array.from({ length: 23 }, (_, places) => Number(`1e${places}`));

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}
