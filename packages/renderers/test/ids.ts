import { byteTokenizer } from '@vf/testkit';

/** Short names of qwen3's control tokens, written «S» in `ids`. */
const letters = 'SEXCcRrTt';

/** Ids of text with «S», «E», … for control tokens; a control token that the text spells is text. */
export function ids(text: string): Int32Array {
  return Int32Array.from(
    text
      .split(/«(.)»/)
      .flatMap((piece, at) =>
        at % 2 === 1 ? [256 + letters.indexOf(piece)] : byteTokenizer.encode(piece),
      ),
  );
}
