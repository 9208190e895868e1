import type { Dialect, ReadReply, Reply } from '@vf/core';
import { headerOf } from '../http/raw-headers.ts';
import { unpackWhole } from '../request/unpack.ts';
import { defaultLimits } from '../limits.ts';

/** A plain reply, read to its end. @throws what broke the body off, UnpackError for one that cannot be unpacked */
export async function readReply(
  dialect: Dialect,
  { head, body }: Reply,
  signal: AbortSignal,
): Promise<ReadReply> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const encoding = headerOf(head.headers, 'content-encoding');
  const plain =
    encoding === null
      ? chunks
      : await unpackWhole(chunks, encoding, { limit: defaultLimits.bodyBytes, signal });
  const reader = dialect.reader({ stream: false, deltas: false, head, edits: [] });
  reader.push({ name: null, data: Buffer.concat(plain).toString() });
  return reader.end();
}
