import type { Dialect, Route } from '@vf/core';

/** A route that a request may take, and the path as the route matched it (without what stands before). */
export interface RouteMatch {
  readonly dialect: Dialect;
  readonly route: Route;
  readonly path: string;
}

/** A request's target taken apart. */
export interface Target {
  readonly url: URL;
  readonly pathname: string;
  /** With its question mark; empty when there is none. */
  readonly query: string;
  readonly matches: readonly RouteMatch[];
}

const remembered = 512;
const longestRemembered = 512;

/** Finds the routes of all dialects that match a request; agents repeat few targets, so answers are remembered. */
export class RouteTable {
  readonly #dialects: readonly Dialect[];
  readonly #known = new Map<string, Target>();

  constructor(dialects: readonly Dialect[]) {
    this.#dialects = dialects;
  }

  match(method: string, target: string): Target {
    const key = `${method} ${target}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#read(method, target);
      const isKept = this.#known.size < remembered && key.length < longestRemembered;
      if (isKept) this.#known.set(key, known);
    }
    return known;
  }

  #read(method: string, target: string): Target {
    const mark = target.indexOf('?');
    const pathname = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark);
    const url = new URL(`http://agent.invalid${target.startsWith('/') ? target : '/'}`);
    return { url, pathname, query, matches: this.#find(method, pathname) };
  }

  #find(method: string, pathname: string): RouteMatch[] {
    return this.#dialects.flatMap((dialect) => {
      for (const route of dialect.routes) {
        const found = route.method === method ? route.path.exec(pathname) : null;
        if (found !== null) return [{ dialect, route, path: found[0] }];
      }
      return [];
    });
  }
}
