import type { Contribution, PluginKind } from '@vf/core';
import { nearest } from '@vf/core/errors';

/** A `vf` block as read, or what is wrong with it: the first problem, with its place. */
export type ManifestReading =
  | { readonly contributes: readonly Contribution[]; readonly problem: null }
  | { readonly contributes: readonly []; readonly problem: string };

// By hand and not with core's schema, which decides the same: listing plugins must not load zod, a fifth of its time.
const kinds: Readonly<Record<PluginKind, true>> = {
  dialect: true,
  runtime: true,
  harness: true,
  taskset: true,
  environment: true,
  client: true,
  export: true,
  executor: true,
};

/** Reads the `vf` block of a package.json. */
export function readManifest(vf: unknown): ManifestReading {
  try {
    const manifest = fields(vf, 'vf', ['manifest', 'contributes']);
    if (manifest['manifest'] !== 1) wrong('vf.manifest', 'expected 1', manifest['manifest']);
    const list = manifest['contributes'];
    if (!Array.isArray(list) || list.length === 0)
      wrong('vf.contributes', 'expected a list of what the package brings', list);
    return {
      contributes: (list as readonly unknown[]).map((item, i) =>
        contribution(item, `vf.contributes[${i}]`),
      ),
      problem: null,
    };
  } catch (error) {
    if (error instanceof Misfit) return { contributes: [], problem: error.message };
    throw error;
  }
}

/** What is wrong with a manifest; never leaves this file. */
class Misfit extends Error {}

function contribution(item: unknown, at: string): Contribution {
  const given = fields(item, at, ['kind', 'id', 'entry', 'summary', 'requires']);
  const { kind, id, entry = '.', summary = '', requires = {} } = given;
  if (typeof kind !== 'string' || !isKind(kind))
    wrong(`${at}.kind`, `expected one of ${Object.keys(kinds).join(', ')}`, kind);
  if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9._-]*$/.test(id))
    wrong(`${at}.id`, 'expected lower-case letters, digits, ".", "_" and "-"', id);
  if (typeof entry !== 'string' || !/^\.(\/.+)?$/.test(entry))
    wrong(`${at}.entry`, 'expected an export subpath: "." or "./name"', entry);
  if (typeof summary !== 'string') wrong(`${at}.summary`, 'expected text', summary);
  const needs = fields(requires, `${at}.requires`, ['bins', 'env']);
  return {
    kind,
    id,
    entry,
    summary,
    requires: {
      bins: texts(needs['bins'], `${at}.requires.bins`),
      env: texts(needs['env'], `${at}.requires.env`),
    },
  };
}

function isKind(kind: string): kind is PluginKind {
  return Object.hasOwn(kinds, kind);
}

function texts(value: unknown, at: string): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    wrong(at, 'expected a list of texts', value);
  return value as string[];
}

function fields(
  value: unknown,
  at: string,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    wrong(at, 'expected object', value);
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const close = nearest(key, known);
    throw new Misfit(
      `${at}.${key} is unknown; ${close === null ? `known: ${known.join(', ')}` : `nearest: ${close}`}`,
    );
  }
  return value as Readonly<Record<string, unknown>>;
}

const longestShown = 60;

function wrong(at: string, expected: string, got: unknown): never {
  const shown = got === undefined ? 'nothing' : JSON.stringify(got);
  throw new Misfit(
    `${at}: ${expected}; got ${shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown}`,
  );
}
