import { numberOf, objectOf, parseJson, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** A content block under way; `json` is the input of a tool call as it was sampled so far. */
interface OpenBlock {
  readonly fields: Record<string, unknown>;
  json: string;
}

/** Which field of its block each kind of delta adds to. */
const grown: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
};

/** The plain body of a streamed reply; null without `message_stop`. */
export function assembleMessage(events: readonly JsonObject[]): JsonObject | null {
  const blocks = new Map<number, OpenBlock>();
  for (const event of events) {
    const index = numberOf(event['index']) ?? 0;
    if (event['type'] === 'content_block_start') {
      blocks.set(index, { fields: { ...objectOf(event['content_block']) }, json: '' });
    }
    const block = blocks.get(index);
    if (event['type'] === 'content_block_delta' && block !== undefined) {
      addDelta(block, objectOf(event['delta']));
    }
  }
  if (!events.some(({ type }) => type === 'message_stop')) return null;
  return { content: [...blocks.values()].map(closed) };
}

function addDelta(block: OpenBlock, delta: JsonObject): void {
  const type = stringOf(delta['type']) ?? '';
  const field = grown[type];
  if (type === 'input_json_delta') block.json += stringOf(delta['partial_json']) ?? '';
  if (field === undefined) return;
  block.fields[field] = (stringOf(block.fields[field]) ?? '') + (stringOf(delta[field]) ?? '');
}

function closed({ fields, json }: OpenBlock): JsonObject {
  return json === '' ? fields : { ...fields, input: objectOf(parseJson(json)) };
}
