/** A number as it was written, since JavaScript's cannot tell 1 from 1.0 and loses digits above 2^53. */
export class JsonNumber {
  /** As Python prints it. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON with exact numbers and keys in their order. */
export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
