import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import type { AST } from 'toml-eslint-parser';
import type { Fault } from './table.ts';

/** Looks up the line, from 1, of a key in a TOML text, or of the nearest table around it; null when there is none. */
export function lineFinder(text: string): (path: Fault['path']) => number | null {
  const lines = new Map<string, number>();
  const visit = (node: AST.TOMLContentNode | AST.TOMLKeyValue, path: readonly string[]): void => {
    if (node.type === 'TOMLKeyValue') {
      const inner = [...path, ...node.key.keys.map((key) => getStaticTOMLValue(key))];
      note(node, inner);
      visit(node.value, inner);
    } else if (node.type === 'TOMLInlineTable') for (const pair of node.body) visit(pair, path);
    else if (node.type === 'TOMLArray') {
      for (const [i, element] of node.elements.entries()) {
        note(element, [...path, String(i)]);
        visit(element, [...path, String(i)]);
      }
    }
  };
  const note = (node: { readonly loc: AST.SourceLocation }, path: readonly string[]): void => {
    const key = path.join('\0');
    if (!lines.has(key)) lines.set(key, node.loc.start.line);
  };
  for (const item of parseTOML(text).body[0].body) {
    if (item.type === 'TOMLKeyValue') {
      visit(item, []);
      continue;
    }
    const path = item.resolvedKey.map(String);
    note(item, path);
    for (const pair of item.body) visit(pair, path);
  }
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(path.slice(0, length).join('\0'));
      if (line !== undefined) return line;
    }
    return null;
  };
}
