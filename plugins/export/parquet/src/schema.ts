import type { ParquetWriter } from 'hyparquet-writer';
import type { Field } from './fields.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** Every field may be null; a list is the three-level one that all readers know. */
export function schemaOf(fields: readonly Field[]): SchemaElement[] {
  return [{ name: 'root', num_children: fields.length }, ...fields.flatMap(elementsOf)];
}

function elementsOf({ name, type }: Field): SchemaElement[] {
  if (type !== 'integers' && type !== 'numbers' && type !== 'texts') {
    return [{ name, repetition_type: 'OPTIONAL', ...leaves[type] }];
  }
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...elements[type] },
  ];
}

const elements = {
  integers: { type: 'INT32' },
  numbers: { type: 'DOUBLE' },
  texts: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const;

const leaves = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
} as const;
