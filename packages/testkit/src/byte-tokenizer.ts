const controls = new Map(
  [
    '<|im_start|>',
    '<|im_end|>',
    '<|endoftext|>',
    '<tool_call>',
    '</tool_call>',
    '<tool_response>',
    '</tool_response>',
    '<think>',
    '</think>',
  ].map((name, at) => [name, 256 + at]),
);
const names = new Map([...controls].map(([name, id]) => [id, name]));

function bytesOf(id: number): Uint8Array {
  return id < 256 ? Uint8Array.of(id) : Buffer.from(names.get(id) ?? '');
}

/**
 * A tokenizer as `@vf/renderers` takes one: ids 0 to 255 are the bytes, 256 to 264 the control tokens of qwen3. Any text
 * has one way to be ids, so that what a test expects can be written by hand.
 */
export const byteTokenizer = {
  controls,
  size: 256 + controls.size,
  encode: (text: string): number[] => [...Buffer.from(text)],
  bytes: bytesOf,
  join: (ids: ArrayLike<number>, from: number, to: number): Uint8Array =>
    Buffer.concat(Array.from({ length: to - from }, (_, at) => bytesOf(ids[from + at] ?? -1))),
  byteLength: (id: number): number => bytesOf(id).length,
};

/** The ids of a text in which control tokens are spelt. */
export function byteIds(text: string): number[] {
  const pattern = new RegExp(
    [...controls.keys()].map((name) => name.replaceAll('|', String.raw`\|`)).join('|'),
    'g',
  );
  const ids: number[] = [];
  let from = 0;
  for (const { 0: name, index } of text.matchAll(pattern)) {
    ids.push(...Buffer.from(text.slice(from, index)), controls.get(name) ?? -1);
    from = index + name.length;
  }
  return [...ids, ...Buffer.from(text.slice(from))];
}

/** The same as a model's `tokenizer.json`: byte-level BPE without a merge, in GPT-2's alphabet of bytes. */
export function byteTokenizerJson(): object {
  let spare = 0x100;
  const isPrintable = (byte: number): boolean =>
    (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  const vocab = Object.fromEntries(
    Array.from({ length: 256 }, (_, byte) => [
      String.fromCharCode(isPrintable(byte) ? byte : spare++),
      byte,
    ]),
  );
  const byteLevel = {
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: true,
  };
  return {
    version: '1.0',
    added_tokens: [...controls].map(([content, id]) => ({ id, content, special: true })),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: { type: 'BPE', vocab, merges: [] },
  };
}
