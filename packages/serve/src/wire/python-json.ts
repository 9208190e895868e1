import { createHash } from 'node:crypto';
import { fieldsOf, NotMsgpack, Scanner } from './scan.ts';

/**
 * The hash that the Python peer gives a task: SHA-256, hex, over its data as `json.dumps(data, sort_keys=True)` writes
 * it, where null fields of the data and of its own models (prompt, timeout, …) are left out.
 * @throws NotMsgpack
 */
export function pythonHash(packedData: Uint8Array): string {
  const models = fieldsOf(packedData)?.has('network_allow') === true ? older : newer;
  const text = new Writer(packedData, models).value(0, 'data');
  return createHash('sha256').update(text).digest('hex');
}

/** Fields of the data that are models in Python, whose own null fields are left out as well: of verifiers 0.4.0. */
const older = new Set(['prompt', 'timeout', 'resources', 'artifacts', 'skills']);
/** From 0.4.1 on, where `network` has taken the place of `network_allow`. */
const newer = new Set([...older, 'network', 'scoring']);
const deepest = 200;

/** Of which kind a value is: the data itself, a model (or a list of them), or a plain value whose nulls stay. */
type Inside = 'data' | 'model' | 'plain';

class Writer {
  readonly #scanner: Scanner;
  readonly #models: ReadonlySet<string>;

  constructor(bytes: Uint8Array, models: ReadonlySet<string>) {
    this.#scanner = new Scanner(bytes);
    this.#models = models;
  }

  value(depth: number, inside: Inside): string {
    if (depth > deepest) throw new NotMsgpack('nested too deep');
    const token = this.#scanner.next();
    switch (token.kind) {
      case 'null':
        return 'null';
      case 'boolean':
      case 'integer':
        return String(token.value);
      case 'float':
        return pythonFloat(token.value);
      case 'text':
        return quoted(this.#text(token.start));
      case 'list':
        return this.#list(token.size, depth, inside);
      case 'map':
        return this.#map(token.size, depth, inside);
      default:
        throw new NotMsgpack('bytes have no place in JSON');
    }
  }

  #text(start: number): string {
    return Buffer.from(this.#scanner.slice(start, this.#scanner.at)).toString();
  }

  #list(size: number, depth: number, inside: Inside): string {
    const items = Array.from({ length: size }, () => this.value(depth + 1, inside));
    return `[${items.join(', ')}]`;
  }

  #map(size: number, depth: number, inside: Inside): string {
    const entries = Array.from({ length: size }, (): [string, string] => {
      const key = this.#scanner.next();
      if (key.kind !== 'text') throw new NotMsgpack('a key is no text');
      const name = this.#text(key.start);
      const within = inside === 'data' ? (this.#models.has(name) ? 'model' : 'plain') : inside;
      return [name, this.value(depth + 1, within)];
    });
    const kept = inside === 'plain' ? entries : entries.filter(([, value]) => value !== 'null');
    // The order of UTF-8 bytes is that of code points, which is Python's.
    const sorted = kept.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${sorted.map(([key, value]) => `${quoted(key)}: ${value}`).join(', ')}}`;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A float as Python's `repr` writes it: the shortest digits, with an exponent from 1e16 on and below 1e-4. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= 16 || exponent < -4) {
    const sign = exponent < 0 ? '-' : '+';
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const plain =
    exponent < 0 ? value.toFixed(digits.replace(/[-.]/g, '').length - 1 - exponent) : String(value);
  return plain.includes('.') ? plain : `${plain}.0`;
}
