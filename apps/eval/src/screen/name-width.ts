const narrowest = 14;
const widest = 40;

/** Of a column of names: one that is longer than most lines has its own figures pushed aside. */
export function nameWidth(names: readonly string[]): number {
  const lengths = names.map(({ length }) => length);
  return Math.max(narrowest, ...lengths.filter((length) => length <= widest));
}
