import { rcompare, valid } from '@renovatebot/pep440';

/** A dataset as a person names it: `name`, `name@version`; with a `/` in the name it is a package of the hub. */
export interface DatasetName {
  readonly name: string;
  readonly version: string | null;
}

export function parseDatasetName(text: string): DatasetName {
  const at = text.lastIndexOf('@');
  return at <= 0
    ? { name: text, version: null }
    : { name: text.slice(0, at), version: text.slice(at + 1) };
}

/** The version that a name without one means: `head`, else the highest by PEP 440, else the last by its letters. */
export function newestOf(versions: readonly string[]): string | undefined {
  if (versions.includes('head')) return 'head';
  const numbered = versions.filter((version) => valid(version) !== null);
  return numbered.length > 0 ? numbered.toSorted(rcompare)[0] : versions.toSorted().at(-1);
}
