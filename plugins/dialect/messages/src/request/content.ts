import type { Content, Part } from '@vf/core';
import { isObject, objectOf, omit, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** A block without its cache mark, which agents move to the newest block in each request. */
export function unmarked(block: JsonObject): JsonObject {
  return 'cache_control' in block ? omit(block, ['cache_control']) : block;
}

/** Content of a system or user message or of a tool result; one text block is its string. */
export function contentOf(content: unknown): Content {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content == null ? '' : [{ type: 'native', native: content }];
  return joined(content.map(partOf));
}

function joined(parts: readonly Part[]): Content {
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && only.type === 'text' ? only.text : parts;
}

export function partOf(block: unknown): Part {
  if (!isObject(block)) return { type: 'native', native: block };
  const { type, text } = block;
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  const url = type === 'image' ? imageUrl(objectOf(block['source'])) : null;
  return url === null ? { type: 'native', native: unmarked(block) } : { type: 'image', url };
}

function imageUrl(source: JsonObject): string | null {
  if (source['type'] === 'url') return stringOf(source['url']);
  const data = source['type'] === 'base64' ? stringOf(source['data']) : null;
  return data === null ? null : `data:${stringOf(source['media_type']) ?? ''};base64,${data}`;
}

/** The inverse of `contentOf`. */
export function writeContent(content: Content): string | readonly unknown[] {
  return typeof content === 'string' ? content : content.map(writePart);
}

export function writePart(part: Part): unknown {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return part.type === 'native' ? part.native : { type: 'image', source: imageSource(part.url) };
}

function imageSource(url: string): JsonObject {
  const comma = url.indexOf(';base64,');
  if (!url.startsWith('data:') || comma < 0) return { type: 'url', url };
  return { type: 'base64', media_type: url.slice(5, comma), data: url.slice(comma + 8) };
}
