/** A value of a JSON document that is not ours to trust. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at `key`; empty when there is none. */
export function fieldsAt(value: unknown, key: string): Fields {
  const inner = isFields(value) ? value[key] : null;
  return isFields(inner) ? inner : {};
}

/** Leaves by their dotted path. */
export function flat(value: Fields, path: string): Record<string, unknown> {
  const leaves: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (isFields(inner)) Object.assign(leaves, flat(inner, `${path}.${key}`));
    else leaves[`${path}.${key}`] = inner;
  }
  return leaves;
}
