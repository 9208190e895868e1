/** JSON text of a value with white space of one's choice between its tokens. */
export function spell(value: unknown, space: string): string {
  if (Array.isArray(value))
    return `[${space}${value.map((item) => spell(item, space)).join(`${space},`)}${space}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}:${space}${spell(field, space)}`,
  );
  return `{${members.join(`,${space}`)}}`;
}
