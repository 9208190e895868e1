/** Where a config value came from. Later kinds win over earlier ones. */
export type Source =
  | { readonly kind: 'built-in' }
  | { readonly kind: 'user' | 'file'; readonly file: string; readonly text: string }
  | { readonly kind: 'flag'; readonly flag: string };

/** A value as it was written, at its canonical snake_case path. */
export interface Written {
  readonly value: unknown;
  readonly source: Source;
  /** The path as the user spelt it. */
  readonly spelt: readonly string[];
}

/** `nightly.toml:6`, `--sampling.temperature`; null for a built-in. */
export function describeSource(source: Source, line: number | null): string | null {
  if (source.kind === 'built-in') return null;
  if (source.kind === 'flag') return source.flag;
  return line === null ? source.file : `${source.file}:${line}`;
}
