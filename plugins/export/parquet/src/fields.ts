/** A value of a field; a list is one of a training sample's. */
export type Value = string | number | boolean | readonly number[] | readonly string[] | null;

export interface Field {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'integers' | 'numbers' | 'texts';
}

/** Values by field name; one that is absent is null. */
export type Values = Readonly<Record<string, Value>>;
