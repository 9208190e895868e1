import type { Content, Part } from '@vf/core';
import { isObject, objectOf, omit, stringOf } from '@vf/core/dialect';

/** Cache marks move from request to request and say nothing about the message. */
const cacheMarks = ['cache_control', 'prompt_cache_breakpoint'];

/** Content of a system, user or tool message; one text part is its string, nothing is the empty string. */
export function contentOf(content: unknown): Content {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content == null ? '' : [{ type: 'native', native: content }];
  const parts = content.map(partOf);
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && only.type === 'text' ? only.text : parts;
}

function partOf(part: unknown): Part {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isObject(part)) return { type: 'native', native: part };
  if (part['type'] === 'text' && typeof part['text'] === 'string') {
    return { type: 'text', text: part['text'] };
  }
  const image = part['type'] === 'image_url' ? part['image_url'] : undefined;
  const url = stringOf(image) ?? stringOf(objectOf(image)['url']);
  return url === null ? { type: 'native', native: omit(part, cacheMarks) } : { type: 'image', url };
}

/** The inverse of `contentOf`. */
export function writeContent(content: Content): unknown {
  return typeof content === 'string' ? content : content.map(writePart);
}

function writePart(part: Part): unknown {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'image') return { type: 'image_url', image_url: { url: part.url } };
  return part.native;
}
