import { posix } from 'node:path';

import type { SourceFile } from './source-edges.ts';

/**
 * Files that import each other in a circle, directly or not. Types count as well, for who reads one of them has to
 * read all; what is loaded when it is called does not. Each circle is told by a shortest way round.
 */
export function cycleViolations(folder: string, files: readonly SourceFile[]): string[] {
  const edges = edgesOf(files);
  const seen = new Set<string>();
  return [...edges.keys()].flatMap((start) => {
    if (seen.has(start)) return [];
    const way = wayRound(start, edges);
    if (way === null) return [];
    for (const path of way) seen.add(path);
    return [`${folder}/${start}: imports itself in a circle: ${[...way, start].join(' -> ')}`];
  });
}

type Edges = ReadonlyMap<string, readonly string[]>;

function edgesOf(files: readonly SourceFile[]): Edges {
  const known = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(({ path, imports }) => [
      path,
      imports
        .filter(({ specifier, isCalled }) => specifier.startsWith('.') && !isCalled)
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
        .filter((target) => known.has(target)),
    ]),
  );
}

/** The files of a shortest way from `start` back to it; null when there is none. */
function wayRound(start: string, edges: Edges): string[] | null {
  const from = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const next of edges.get(path) ?? []) {
      if (next === start) return wayTo(path, start, from);
      if (from.has(next)) continue;
      from.set(next, path);
      queue.push(next);
    }
  }
  return null;
}

function wayTo(end: string, start: string, from: ReadonlyMap<string, string>): string[] {
  const way = [end];
  for (let path = end; path !== start;) {
    path = from.get(path) ?? start;
    way.unshift(path);
  }
  return way;
}
