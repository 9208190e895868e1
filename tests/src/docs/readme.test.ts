import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

interface Manifest {
  readonly name: string;
  readonly vf: { readonly contributes: readonly { readonly kind: string; readonly id: string }[] };
}

test('the table of plugins in the README is whole, and names none that is not there', () => {
  const shipped = globSync('plugins/*/*/package.json', { cwd: root }).flatMap((file) => {
    const { name, vf } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
    return vf.contributes.map(({ kind, id }) => `${kind} ${id} ${name}`);
  });
  const rows = readme.matchAll(/^\| (\w+) +\| `([^`]+)` +\| `(@vf\/[^`]+)` +\| \S/gm);
  const listed = Array.from(rows, ([, kind, id, name]) => `${kind} ${id} ${name}`);
  expect(listed.toSorted()).toEqual(shipped.toSorted());
});

const linksOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\]\(([^)#]+?)(?:#[^)]*)?\)/g), ([, target = '']) => target);

test('the README links every page of docs, and nothing that is not there', () => {
  const links = new Set(linksOf(readme));
  const local = [...links].filter((target) => !/^[a-z]+:/.test(target));
  expect(local.filter((target) => !existsSync(join(root, target)))).toEqual([]);
  const pages = globSync('docs/*.md', { cwd: root });
  expect(pages.filter((page) => !links.has(page))).toEqual([]);
});

test('the list of decisions has each of them once, under its own title', () => {
  const folder = join(root, 'docs/decisions');
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  const pages = globSync('*.md', { cwd: folder }).filter((page) => page !== 'README.md');
  const titleOf = (page: string) => readFileSync(join(folder, page), 'utf8').split('\n', 1)[0];
  const lines = pages.map((page) => `[${titleOf(page)?.slice('# '.length)}](${page})`);
  expect(lines.filter((line) => !list.includes(line))).toEqual([]);
  expect(linksOf(list).toSorted()).toEqual(pages.toSorted());
});
