/** How many ids of a buffer that was made here are written: what is behind them may be taken once. */
const written = new WeakMap<ArrayBuffer, number>();

/**
 * The ids in a row. Those of a prompt that came from here stay where they are, with room behind them: a conversation would
 * be copied at every turn else. Nobody sees more of a buffer than was written for it.
 */
export function appended(prompt: Int32Array, ...more: readonly Int32Array[]): Int32Array {
  const total = more.reduce((sum, part) => sum + part.length, prompt.length);
  const all = inPlace(prompt, total) ?? moved(prompt, total);
  let at = prompt.length;
  for (const part of more) {
    all.set(part, at);
    at += part.length;
  }
  written.set(all.buffer, total);
  return all;
}

type Ids = Int32Array<ArrayBuffer>;

function inPlace({ buffer, byteOffset, length }: Int32Array, total: number): Ids | null {
  if (!(buffer instanceof ArrayBuffer)) return null;
  const isLast = byteOffset === 0 && written.get(buffer) === length;
  return isLast && buffer.byteLength >= 4 * total ? new Int32Array(buffer, 0, total) : null;
}

function moved(prompt: Int32Array, total: number): Ids {
  // Filled with zeros first, the ids of a long conversation would be written twice.
  const room = Buffer.allocUnsafeSlow(4 * (total + (total >> 3))).buffer;
  const all = new Int32Array(room, 0, total);
  all.set(prompt);
  return all;
}
