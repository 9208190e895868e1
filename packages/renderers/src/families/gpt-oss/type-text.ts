import { isList, isObject } from '../../python/json-value.ts';
import type { JsonObject, JsonValue } from '../../python/json-value.ts';
import { jsonText } from '../../python/json-text.ts';
import { pythonStr } from '../../python/repr.ts';

/** The template breaks the line within nested objects. */
const broken = '\n                ';

/** A JSON Schema as the TypeScript that the template prints. */
export function typeText(schema: JsonObject): string {
  const type = schema.get('type');
  const variants = schema.get('oneOf');
  if (type === 'array') return arrayText(schema);
  if (isList(type) && type.length > 0) return type.map(pythonStr).join(' | ');
  if (isList(variants) && variants.length > 0) return unionText(variants);
  if (type === 'string') return stringText(schema);
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'object' ? objectText(schema) : 'any';
}

function orNull(schema: JsonObject): string {
  return schema.get('nullable') === true ? ' | null' : '';
}

function arrayText(schema: JsonObject): string {
  const items = schema.get('items');
  if (!isObject(items) || items.size === 0) return `any[]${orNull(schema)}`;
  const plain: Record<string, string> = {
    string: 'string',
    number: 'number',
    integer: 'number',
    boolean: 'boolean',
  };
  const type = items.get('type');
  const known = typeof type === 'string' ? plain[type] : undefined;
  if (known !== undefined) return `${known}[]${orNull(schema)}`;
  const inner = typeText(items);
  const tooMuch = inner === 'object | object' || inner.length > 50;
  return `${tooMuch ? 'any' : inner}[]${orNull(schema)}`;
}

function stringText(schema: JsonObject): string {
  const values = schema.get('enum');
  if (isList(values) && values.length > 0) return `"${values.map(pythonStr).join('" | "')}"`;
  return `string${orNull(schema)}`;
}

function unionText(variants: readonly JsonValue[]): string {
  const schemas = variants.filter(isObject);
  if (schemas.length > 1 && schemas.some((variant) => variant.get('type') === 'object'))
    return 'any';
  return schemas.map(variantText).join(' | \n            ');
}

function variantText(variant: JsonObject): string {
  const description = variant.get('description');
  const fallback = variant.get('default');
  return [
    typeText(variant),
    typeof description === 'string' && description !== '' ? `// ${description}` : '',
    fallback === undefined
      ? ''
      : `\n                    // default: ${jsonText(fallback)}\n                `,
  ].join('');
}

function objectText(schema: JsonObject): string {
  const properties = schema.get('properties');
  if (!isObject(properties) || properties.size === 0) return 'object';
  const lines = [...properties].map(([name, property]) => {
    const type = isObject(property) ? typeText(property) : 'any';
    return `${name}${isRequired(schema, name) ? '' : '?'}: ${broken}${type}`;
  });
  return `{\n${lines.join(', ')}}`;
}

/** Is the property named in `required`? */
export function isRequired(schema: JsonObject, name: string): boolean {
  const required = schema.get('required');
  return isList(required) && required.includes(name);
}
