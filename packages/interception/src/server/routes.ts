import type { Dialect, Route } from '@vf/core';

/** A route that a request may take, and the path as the route matched it (without what stands before). */
export interface RouteMatch {
  readonly dialect: Dialect;
  readonly route: Route;
  readonly path: string;
}

const remembered = 512;

/** Finds the routes of all dialects that match a request; agents repeat few paths, so answers are remembered. */
export class RouteTable {
  readonly #dialects: readonly Dialect[];
  readonly #known = new Map<string, readonly RouteMatch[]>();

  constructor(dialects: readonly Dialect[]) {
    this.#dialects = dialects;
  }

  /** @param pathname path of the URL without its query */
  match(method: string, pathname: string): readonly RouteMatch[] {
    const key = `${method} ${pathname}`;
    let matches = this.#known.get(key);
    if (matches === undefined) {
      matches = this.#find(method, pathname);
      if (this.#known.size < remembered) this.#known.set(key, matches);
    }
    return matches;
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
