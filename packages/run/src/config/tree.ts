/** A plain object of a config; lists and scalars are leaves. */
export type Tree = { [key: string]: unknown };

export function isTree(value: unknown): value is Tree {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

/** Every leaf with its path; an empty table is a leaf too. */
export function* leaves(
  tree: Tree,
  path: readonly string[] = [],
): Generator<readonly [path: readonly string[], value: unknown]> {
  for (const [key, value] of Object.entries(tree)) {
    const here = [...path, key];
    if (isTree(value) && Object.keys(value).length > 0) yield* leaves(value, here);
    else yield [here, value];
  }
}

/** Every scalar of a value with its path in it, also in lists, by the index. */
export function* scalars(
  value: unknown,
  path: readonly string[] = [],
): Generator<readonly [path: readonly string[], value: unknown]> {
  if (!isTree(value) && !Array.isArray(value)) yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* scalars(inner, [...path, key]);
}

/** Sets a leaf; tables on the way are made, a leaf on the way is replaced. */
export function setAt(tree: Tree, path: readonly string[], value: unknown): void {
  const last = path.at(-1);
  if (last === undefined) return;
  let at = tree;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(at, key) ? at[key] : undefined;
    if (isTree(next)) at = next;
    else {
      const made: Tree = {};
      define(at, key, made);
      at = made;
    }
  }
  define(at, last, value);
}

/** Values by their paths (joined with NUL) as one tree. */
export function treeOf(values: ReadonlyMap<string, { readonly value: unknown }>): Tree {
  const tree: Tree = {};
  for (const [key, { value }] of values) setAt(tree, key.split('\0'), value);
  return tree;
}

/** What stands at a path, also of an element of a list, by its index. */
export function getAt(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      (isTree(at) || Array.isArray(at)) && Object.hasOwn(at, key)
        ? (at as Readonly<Record<string, unknown>>)[key]
        : undefined,
    tree,
  );
}

/** A key such as `__proto__` is data like any other. */
function define(tree: Tree, key: string, value: unknown): void {
  Object.defineProperty(tree, key, { value, writable: true, enumerable: true, configurable: true });
}
