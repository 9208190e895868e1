import type { Content, Part } from '@vf/core';
import { isObject, jsonOf, stringOf } from '@vf/core/dialect';

/**
 * Canonical content of a message's `content` or a result's `output`. A list of one text is that text; null and absent
 * are the empty text; what is not understood stays as it came.
 */
export function contentOf(raw: unknown): Content {
  if (typeof raw === 'string') return raw;
  if (raw === null || raw === undefined) return '';
  if (!Array.isArray(raw)) return [{ type: 'native', native: raw }];
  const parts = raw.map(partOf);
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && only.type === 'text' ? only.text : parts;
}

function partOf(raw: unknown): Part {
  if (typeof raw === 'string') return { type: 'text', text: raw };
  if (!isObject(raw)) return { type: 'native', native: raw };
  const text = stringOf(raw['text']);
  const isText =
    raw['type'] === 'input_text' || raw['type'] === 'output_text' || raw['type'] === 'text';
  if (text !== null && isText) return { type: 'text', text };
  const url = stringOf(raw['image_url']);
  if (url !== null && raw['type'] === 'input_image') return { type: 'image', url };
  return { type: 'native', native: raw };
}

/** Content parts as the wire has them; `textType` is `input_text` or `output_text`. */
export function writeParts(content: Content, textType: string): readonly unknown[] {
  const parts: readonly Part[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return parts.map((part) => {
    if (part.type === 'text') return textPart(textType, part.text);
    if (part.type === 'image') return { type: 'input_image', detail: 'auto', image_url: part.url };
    return part.native;
  });
}

function textPart(type: string, text: string): Record<string, unknown> {
  return type === 'output_text' ? { type, text, annotations: [] } : { type, text };
}

/** The parts for `content`, with those of `raw` that say the same taken over as they are (an image's detail, say). */
export function rewriteParts(raw: unknown, content: Content): unknown {
  if (!Array.isArray(raw))
    return typeof content === 'string' ? content : writeParts(content, 'input_text');
  const known = new Map(raw.map((part: unknown) => [jsonOf(partOf(part)), part]));
  const textType = stringOf(isObject(raw[0]) ? raw[0]['type'] : null);
  const type = textType === 'output_text' ? 'output_text' : 'input_text';
  const parts: readonly Part[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return parts.map((part) => known.get(jsonOf(part)) ?? writeParts([part], type)[0]);
}
