import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Names = Readonly<Record<string, string>>;

/** What the host reads of a package.json; odd fields are as if they were not there. */
export interface PackageJson {
  readonly name?: string;
  readonly version?: string;
  readonly exports?: unknown;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
  readonly packageManager?: string;
  readonly vf?: unknown;
}

/** null when there is none; @throws SyntaxError when it is not JSON, TypeError when it is no object */
export function readPackageJson(dir: string): PackageJson | null {
  let text: string;
  try {
    text = readFileSync(join(dir, 'package.json'), 'utf8');
  } catch {
    return null;
  }
  const found: unknown = JSON.parse(text);
  if (!isRecord(found)) throw new TypeError(`${join(dir, 'package.json')} holds no object`);
  const usable = Object.entries(found).filter(([key, value]) => fits(key, value));
  return Object.fromEntries(usable);
}

const texts: ReadonlySet<string> = new Set(['name', 'version', 'packageManager']);
const groups = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

function fits(key: string, value: unknown): boolean {
  if (texts.has(key)) return typeof value === 'string';
  if (key !== 'peerDependencies' && !(groups as readonly string[]).includes(key)) return true;
  return isRecord(value) && Object.values(value).every((range) => typeof range === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of all direct dependencies. */
export function directDependencies(pkg: PackageJson): string[] {
  return [...new Set(groups.flatMap((group) => Object.keys(pkg[group] ?? {})))];
}
