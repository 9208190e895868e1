import type { Content, Part } from '@vf/core';
import { isObject } from '@vf/core/dialect';

/** What a tool returned, as content of a message: text and parts stay, anything else becomes JSON. */
export function toolContent(value: unknown): Content {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every(isPart)) return value;
  return JSON.stringify(value) ?? '';
}

function isPart(value: unknown): value is Part {
  if (!isObject(value)) return false;
  if (value['type'] === 'text') return typeof value['text'] === 'string';
  return value['type'] === 'image' && typeof value['url'] === 'string';
}
