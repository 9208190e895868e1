/**
 * The alphabet of byte-level BPE: every byte has a printable character in the vocabulary's strings.
 * Printable Latin-1 stands for itself, the other bytes follow from U+0100 on (GPT-2's `bytes_to_unicode`).
 */
export const byteCharacters: readonly string[] = makeCharacters();

/** Bytes by the code of their character; −1 where a code is none of the alphabet. */
const bytesOfCodes = new Int16Array(0x200).fill(-1);
for (const [byte, character] of byteCharacters.entries()) {
  bytesOfCodes[character.charCodeAt(0)] = byte;
}

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

/**
 * Writes the bytes behind a token's string, as many as it has characters.
 * @returns false when it has a character outside the alphabet
 */
export function writeBytesOfToken(token: string, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < token.length; at++) {
    const byte = bytesOfCodes[token.charCodeAt(at)] ?? -1;
    if (byte < 0) return false;
    bytes[from + at] = byte;
  }
  return true;
}

/** The bytes as a string of the alphabet. */
export function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byteCharacters[byte] as string;
  return text;
}
