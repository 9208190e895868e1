import type { Content, Part } from '@vf/core';
import type { AtifContent, ContentPart } from './document.ts';

/** Text stays text; parts stay parts where one of them is an image. */
export function atifContent(content: Content | null): AtifContent {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  const parts = content.map(contentPart);
  if (parts.some(({ type }) => type !== 'text')) return parts;
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** A part that the format cannot hold leaves a note in its place, never nothing. */
function contentPart(part: Part): ContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'native') return { type: 'text', text: `[not text: ${kindOf(part.native)}]` };
  const { url } = part;
  const [, kind] = /^data:image\/(\w+)[;,]/.exec(url) ?? /\.(\w+)(?:[?#].*)?$/.exec(url) ?? [];
  const media = imageTypes[kind?.toLowerCase() ?? ''];
  if (media === undefined) return { type: 'text', text: `[image of unknown type: ${url}]` };
  return { type: 'image', source: { media_type: media, path: url } };
}

function kindOf(native: unknown): string {
  const type =
    typeof native === 'object' && native !== null && 'type' in native ? native.type : null;
  return typeof type === 'string' ? type : typeof native;
}
