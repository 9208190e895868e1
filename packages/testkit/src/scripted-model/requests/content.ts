import type { Content, Part } from '@vf/core';

export type Json = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for anything else. */
export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

/** The value as a list; an empty one for anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; an empty one for anything else. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Content of any of the three dialects; a list of text parts becomes their text. */
export function contentOf(value: unknown): Content {
  if (!Array.isArray(value)) return text(value);
  const parts = value.map(partOf);
  return parts.every((part) => part.type === 'text')
    ? parts.map((part) => part.text).join('')
    : parts;
}

function partOf(value: unknown): Part {
  const part = record(value);
  if (typeof part['text'] === 'string') return { type: 'text', text: part['text'] };
  const url = imageUrl(part);
  return url === null ? { type: 'native', native: value } : { type: 'image', url };
}

function imageUrl(part: Json): string | null {
  const image = part['image_url'];
  if (typeof image === 'string') return image;
  if (typeof record(image)['url'] === 'string') return text(record(image)['url']);
  const source = record(part['source']);
  if (source['type'] === 'base64')
    return `data:${text(source['media_type'])};base64,${text(source['data'])}`;
  return source['type'] === 'url' ? text(source['url']) : null;
}
