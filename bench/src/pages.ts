import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** This project's own pages, then code of these folders: text as agents read and write it. */
export function pages(
  code: readonly string[] = ['packages/core/src', 'packages/run/src'],
): readonly string[] {
  return [...below('docs', '.md'), ...code.flatMap((folder) => below(folder, '.ts'))];
}

function below(folder: string, end: string): string[] {
  return readdirSync(resolve(root, folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(end) && !name.includes('node_modules'))
    .toSorted()
    .map((name) => readFileSync(resolve(root, folder, name), 'utf8'));
}
