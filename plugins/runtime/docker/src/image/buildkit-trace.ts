/** Fields of one protobuf message by their numbers; numbers and other fixed fields are left out. */
type Fields = ReadonlyMap<number, readonly Buffer[]>;

/**
 * What people read of one BuildKit message: the steps that begin or fail, and the output of programs as it is.
 * Source: moby/buildkit, api/services/control, messages StatusResponse, Vertex and VertexLog.
 */
export function traceText(aux: string): string {
  const status = fieldsOf(Buffer.from(aux, 'base64'));
  const steps = all(status, 1).map(fieldsOf).map(stepText);
  const output = all(status, 3).map((log) => all(fieldsOf(log), 4).join(''));
  return [...steps, ...output].join('');
}

function stepText(step: Fields): string {
  const [name, failure] = [3, 7].map((field) => all(step, field).join(''));
  if (failure) return `${name}: ${failure}\n`;
  const [hasStarted, hasEnded] = [5, 6].map((field) => step.has(field));
  return hasStarted === true && hasEnded === false ? `${name}\n` : '';
}

const all = (fields: Fields, number: number): readonly Buffer[] => fields.get(number) ?? [];

/** Bytes that a fixed field takes, by its wire type. */
const fixedBytes: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

function fieldsOf(bytes: Buffer): Fields {
  const fields = new Map<number, Buffer[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; at < bytes.length; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte % 128) * scale;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const key = varint();
    const type = key % 8;
    if (type === 0) varint();
    else if (type === 2) {
      const length = varint();
      const field = Math.floor(key / 8);
      fields.set(field, [...all(fields, field), bytes.subarray(at, at + length)]);
      at += length;
    } else at += fixedBytes[type] ?? bytes.length;
  }
  return fields;
}
