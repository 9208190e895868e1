/** Which task of B is which of A. */
export interface TaskMatch {
  /** B's key to A's. */
  readonly toA: ReadonlyMap<string, string>;
  /** Tasks that are the same by their hash. */
  readonly common: number;
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  /** Keys that stand for different rows in the two runs. */
  readonly changed: readonly string[];
}

/**
 * Pairs tasks by the hash of their rows: first under one key, then under any.
 * @param byKey also pairs rows that differ where they have one key
 */
export function matchTasks(
  a: ReadonlyMap<string, string>,
  b: ReadonlyMap<string, string>,
  byKey: boolean,
): TaskMatch {
  const toA = new Map<string, string>();
  for (const [key, hash] of a) if (b.get(key) === hash) toA.set(key, key);
  const left = keysByHash(b, (key) => !toA.has(key));
  const unpaired: string[] = [];
  for (const [key, hash] of a) {
    if (b.get(key) === hash) continue;
    const other = left.get(hash)?.pop();
    if (other === undefined) unpaired.push(key);
    else toA.set(other, key);
  }
  const common = toA.size;
  const changed = unpaired.filter((key) => b.has(key) && !toA.has(key));
  if (byKey) for (const key of changed) toA.set(key, key);
  const isChanged = new Set(changed);
  return {
    toA,
    common,
    changed,
    onlyA: unpaired.filter((key) => !isChanged.has(key)),
    onlyB: [...b.keys()].filter((key) => !toA.has(key) && !isChanged.has(key)),
  };
}

function keysByHash(
  tasks: ReadonlyMap<string, string>,
  isWanted: (key: string) => boolean,
): Map<string, string[]> {
  const byHash = new Map<string, string[]>();
  for (const [key, hash] of tasks) {
    if (!isWanted(key)) continue;
    const keys = byHash.get(hash);
    if (keys) keys.push(key);
    else byHash.set(hash, [key]);
  }
  return byHash;
}
