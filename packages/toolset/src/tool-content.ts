import type { ToolResult } from '@vf/core';

type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string };

/** A tool's result as MCP content: text as it is, parts one by one, anything else as JSON. */
export function mcpContent({ content }: ToolResult): McpContent[] {
  if (Array.isArray(content)) return content.map(partContent);
  return [textContent(content)];
}

function partContent(part: unknown): McpContent {
  if (typeof part !== 'object' || part === null) return textContent(part);
  const { type, text, url } = part as {
    readonly type?: unknown;
    readonly text?: unknown;
    readonly url?: unknown;
  };
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  const image =
    type === 'image' && typeof url === 'string' ? /^data:([^;,]+);base64,(.*)$/s.exec(url) : null;
  return image === null
    ? textContent(part)
    : { type: 'image', mimeType: image[1] ?? '', data: image[2] ?? '' };
}

function textContent(value: unknown): McpContent {
  return { type: 'text', text: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') };
}
