import type { Dialect, Edit, Settings, ToolSpec } from '@vf/core';
import { jsonBytes } from './json-bytes.ts';
import { walkMembers } from './json-walk.ts';
import type { Member, Span } from './json-walk.ts';
import type { EntryChange, Splice } from './splice.ts';
import { spliceEntries } from './splice.ts';

export type Top = Readonly<Record<string, unknown>>;

/** Edits of settings made ready for one shell. */
export interface ShellEdits {
  readonly edits: readonly Edit[];
  /** Ascending, in offsets of the shell. */
  readonly splices: readonly Splice[];
  readonly path: string;
  readonly settings: Settings;
  /** The growing array itself was replaced or removed. */
  readonly isArrayGone: boolean;
  readonly top: Top;
}

/** A request without its growing items: `{"model": …, "messages": []}`. Requests with equal shells share it. */
export class Shell {
  /** The shell's JSON text. */
  readonly bytes: Buffer;
  /** Where the items go, just after the array's opening bracket; null when there is no growing array. */
  readonly split: number | null;
  readonly top: Top;
  readonly tools: readonly ToolSpec[];
  readonly before: Buffer;
  readonly after: Buffer;
  readonly #dialect: Pick<Dialect, 'request'>;
  readonly #members: readonly Member[];
  #settings: { readonly path: string; readonly value: Settings } | undefined;
  #edited:
    | { readonly want: Partial<Settings>; readonly path: string; readonly value: ShellEdits }
    | undefined;

  private constructor(
    dialect: Pick<Dialect, 'request'>,
    bytes: Buffer,
    split: number | null,
    top: Top,
    members: readonly Member[],
  ) {
    this.#dialect = dialect;
    this.#members = members;
    this.bytes = bytes;
    this.split = split;
    this.top = top;
    this.before = bytes.subarray(0, split ?? bytes.length);
    this.after = bytes.subarray(split ?? bytes.length);
    this.tools = dialect.request.tools(top);
  }

  /** Null when the text is no JSON object, or when `split` is not in the array that the dialect's key names last. */
  static parse(
    dialect: Pick<Dialect, 'request'>,
    bytes: Buffer,
    split: number | null,
  ): Shell | null {
    const top = parseObject(bytes);
    const members = top === null ? null : walkMembers(bytes);
    if (top === null || members === null) return null;
    if (split !== null && arrayOf(bytes, members, dialect.request.growing)?.start !== split - 1)
      return null;
    return new Shell(dialect, bytes, split, top, members);
  }

  settings(path: string): Settings {
    if (this.#settings?.path !== path)
      this.#settings = { path, value: this.#dialect.request.settings(this.top, path) };
    return this.#settings.value;
  }

  edits(want: Partial<Settings>, path: string): ShellEdits {
    if (this.#edited?.want !== want || this.#edited.path !== path) {
      this.#edited = { want, path, value: this.#edit(want, path) };
    }
    return this.#edited.value;
  }

  /** Where an offset of the shell stands in a body whose items take `length` bytes. */
  inBody(at: number, length: number): number {
    return this.split === null || at < this.split ? at : at + length;
  }

  #edit(want: Partial<Settings>, path: string): ShellEdits {
    const { request } = this.#dialect;
    const edits = request.edits(want, this.top, path);
    const values = new Map<string, unknown>();
    let newPath = path;
    for (const edit of edits) {
      if ('path' in edit) newPath = edit.path;
      if ('key' in edit) values.set(edit.key, edit.value);
    }
    const top: Record<string, unknown> = { ...this.top };
    for (const [key, value] of values) {
      if (value === undefined) delete top[key];
      else top[key] = value;
    }
    return {
      edits,
      splices: this.#splices(values),
      path: newPath,
      settings: edits.length === 0 ? this.settings(path) : request.settings(top, newPath),
      isArrayGone: this.split !== null && values.has(request.growing),
      top,
    };
  }

  /** Each key is left once, at its last place, or not at all. */
  #splices(values: ReadonlyMap<string, unknown>): readonly Splice[] {
    const lastPlaces = new Map(this.#members.map((member, index) => [member.key, index]));
    const changes: EntryChange[] = [];
    this.#members.forEach(({ key, start, value }, index) => {
      if (!values.has(key)) return;
      const isKept = lastPlaces.get(key) === index && values.get(key) !== undefined;
      const name = this.bytes.subarray(start, value.start);
      changes.push([index, isKept ? Buffer.concat([name, jsonBytes(values.get(key))]) : null]);
    });
    const added = [...values]
      .filter(([key, value]) => !lastPlaces.has(key) && value !== undefined)
      .map(([key, value]) => Buffer.concat([jsonBytes(key), Buffer.from(':'), jsonBytes(value)]));
    const entries = this.#members.map(({ start, value }): Span => ({ start, end: value.end }));
    return spliceEntries(entries, changes, added, this.bytes.indexOf('{') + 1);
  }
}

/** The brackets' span of the array that `key` names last, null when that is no array. */
export function arrayOf(bytes: Buffer, members: readonly Member[], key: string): Span | null {
  const member = members.findLast((candidate) => candidate.key === key);
  return member !== undefined && bytes[member.value.start] === 0x5b ? member.value : null;
}

function parseObject(bytes: Buffer): Top | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Top)
      : null;
  } catch {
    return null;
  }
}
