/** The part of JSON Schema (draft 7) that is made here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

export function isObjectSchema(schema: JsonSchema): schema is ObjectSchema {
  return schema.properties !== undefined;
}
