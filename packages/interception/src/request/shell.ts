import type { Dialect, Edit, Settings, ToolSpec } from '@vf/core';
import { keepWrittenNumbers } from '@vf/core/dialect';
import { jsonBytes } from './json-bytes.ts';
import { walkMembers } from './json-walk.ts';
import type { Member, Span } from './json-walk.ts';
import type { EntryChange, Splice } from './splice.ts';
import { spliceEntries } from './splice.ts';

export type Top = Readonly<Record<string, unknown>>;

/** Shorter values are parsed as fast as compared. */
const worthComparing = 256;

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
  #isLookedAt = false;
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
    tools: readonly ToolSpec[],
  ) {
    this.#dialect = dialect;
    this.#members = members;
    this.bytes = bytes;
    this.split = split;
    this.top = top;
    this.before = bytes.subarray(0, split ?? bytes.length);
    this.after = bytes.subarray(split ?? bytes.length);
    this.tools = tools;
  }

  /**
   * Null when the text is no JSON object, or when `split` is not in the array that the dialect's key names last.
   * @param like an earlier shell: values that stand in both are not parsed again
   */
  static parse(
    dialect: Pick<Dialect, 'request'>,
    bytes: Buffer,
    split: number | null,
    like?: Shell,
  ): Shell | null {
    const members = walkMembers(bytes, (key) =>
      like === undefined ? undefined : like.#large(key),
    );
    if (members === null) return null;
    const top = parseTop(bytes, members, like?.top ?? {});
    if (top === null) return null;
    if (split !== null && arrayOf(bytes, members, dialect.request.growing)?.start !== split - 1) {
      return null;
    }
    const tools = sameTools(dialect.request.tools(top), like?.tools);
    return new Shell(dialect, bytes, split, top, members, tools);
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

  /** Lets renderers print the numbers of tool schemas as they were written. */
  keepWrittenNumbers(): void {
    if (this.#isLookedAt) return;
    this.#isLookedAt = true;
    // Of a repeated key the last value counts.
    for (const [key, { start, end }] of new Map(
      this.#members.map((each) => [each.key, each.value]),
    ))
      keepWrittenNumbers(this.top[key], () => this.bytes.toString('utf8', start, end));
  }

  /** Where an offset of the shell stands in a body whose items take `length` bytes. */
  inBody(at: number, length: number): number {
    return this.split === null || at < this.split ? at : at + length;
  }

  /** Bytes of a key's value when it is worth comparing; of a repeated key the last value. */
  #large(key: string): Buffer | undefined {
    // Assigned to an object, this key would not be one of its own.
    if (key === '__proto__') return undefined;
    const value = this.#members.findLast((member) => member.key === key)?.value;
    if (value === undefined || value.end - value.start < worthComparing) return undefined;
    return this.bytes.subarray(value.start, value.end);
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

/** Parses all but the known members, whose values are taken from `before`. */
function parseTop(bytes: Buffer, members: readonly Member[], before: Top): Top | null {
  const known = members.filter((member) => member.isKnown);
  const top = parseObject(textWithout(bytes, known));
  if (top === null) return null;
  for (const member of known) {
    const isLast = members.findLast(({ key }) => key === member.key) === member;
    if (isLast) top[member.key] = before[member.key];
  }
  return top;
}

/** The text with these members' values blanked out. */
function textWithout(bytes: Buffer, members: readonly Member[]): string {
  let text = '';
  let at = 0;
  for (const { value } of members) {
    text += `${bytes.toString('utf8', at, value.start)}0`;
    at = value.end;
  }
  return text + bytes.toString('utf8', at);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return value as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** The earlier list when both say the same: what is remembered by its identity is then found. */
function sameTools(
  tools: readonly ToolSpec[],
  before: readonly ToolSpec[] | undefined,
): readonly ToolSpec[] {
  if (before === undefined || tools.length !== before.length) return tools;
  return tools.every((tool, index) => isShallowEqual(tool, before[index] ?? {})) ? before : tools;
}

function isShallowEqual(a: Partial<ToolSpec>, b: Partial<ToolSpec>): boolean {
  const fields = Object.entries(a);
  if (fields.length !== Object.keys(b).length) return false;
  const others = new Map<string, unknown>(Object.entries(b));
  return fields.every(([key, value]) => others.get(key) === value);
}
