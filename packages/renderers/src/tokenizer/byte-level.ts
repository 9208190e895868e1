/**
 * The alphabet of byte-level BPE: every byte has a printable character in the vocabulary's strings.
 * Printable Latin-1 stands for itself, the other bytes follow from U+0100 on (GPT-2's `bytes_to_unicode`).
 */
const characters: readonly string[] = makeCharacters();
const bytesOfCharacters = new Map(characters.map((character, byte) => [character, byte]));

function makeCharacters(): string[] {
  const table: string[] = [];
  let spare = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const printable =
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    table.push(String.fromCharCode(printable ? byte : spare++));
  }
  return table;
}

/** The bytes behind a token's string, or null when it has a character outside the alphabet. */
export function bytesOfToken(token: string): Uint8Array | null {
  const bytes = new Uint8Array(token.length);
  for (let at = 0; at < token.length; at++) {
    const byte = bytesOfCharacters.get(token[at] as string);
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return bytes;
}

/** The bytes as a string of the alphabet. */
export function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += characters[byte] as string;
  return text;
}

/** All 256 characters. */
export const byteCharacters: readonly string[] = characters;
