/** An error body is read whole up to here; what is longer goes through as it comes. */
const longest = 1024 * 1024;

/** The bytes of an error reply with the provider's key masked, wherever chunks end. */
export async function* maskedBody(
  body: AsyncIterable<Uint8Array>,
  key: string,
): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let isLong = false;
  for await (const chunk of body) {
    if (isLong) yield masked(Buffer.from(chunk), key);
    else {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= longest) continue;
      isLong = true;
      yield masked(Buffer.concat(chunks), key);
      chunks = [];
    }
  }
  if (!isLong && length > 0) yield masked(Buffer.concat(chunks), key);
}

function masked(bytes: Buffer, key: string): Uint8Array {
  if (key === '' || !bytes.includes(key)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(key, '***'), 'latin1');
}
