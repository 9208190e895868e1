import type { Tokenizer } from '../src/tokenizer/tokenizer.ts';

const names = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tool_response>',
  '<think>',
  '</think>',
];
/** Short names of the control tokens 256 to 264, written «S» in `ids`. */
const letters = 'SEXCcRrTt';
const encoder = new TextEncoder();

/** Ids 0 to 255 are bytes, without merges; 256 to 264 are qwen3's control tokens. */
export const byteTokenizer: Tokenizer = {
  encode: (text) => [...encoder.encode(text)],
  controls: new Map(names.map((name, index) => [name, 256 + index])),
  bytes: (id) => (id < 256 ? Uint8Array.of(id) : encoder.encode(names[id - 256] ?? '')),
  byteLength: (id) => (id < 256 ? 1 : (names[id - 256]?.length ?? 0)),
  size: 265,
};

/** Ids of text with «S», «E», … for control tokens. */
export function ids(text: string): Int32Array {
  return Int32Array.from(
    text
      .split(/«(.)»/)
      .flatMap((piece, at) =>
        at % 2 === 1 ? [256 + letters.indexOf(piece)] : [...encoder.encode(piece)],
      ),
  );
}
