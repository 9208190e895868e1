import type { AssistantMessage, Content, Message, Part, ToolCall } from '@vf/core';
import { formatBytes, formatCounted } from '../screen/format.ts';
import { asName, oneLine, visible } from '../screen/one-line.ts';
import type { Palette } from '../screen/palette.ts';
import { fold } from './fold.ts';

export interface TextOptions {
  /** Fold nothing. */
  readonly isFull: boolean;
  readonly paint: Palette;
}

/** The lines of a message's body. */
export function messageLines(message: Message, options: TextOptions): string[] {
  return message.role === 'assistant'
    ? replyLines(message, options)
    : contentLines(message.content, options);
}

function replyLines(message: AssistantMessage, options: TextOptions): string[] {
  const { content, reasoning, toolCalls = [], providerState = [] } = message;
  const { isFull, paint } = options;
  const said = content === null || content === '' ? [] : fold(content, isFull);
  return [
    ...(reasoning == null || reasoning === ''
      ? []
      : fold(reasoning, isFull).map((line) => paint('dim', `│ ${line}`))),
    ...said,
    ...toolCalls.flatMap((call) => callLines(call, options)),
    ...(providerState.length === 0
      ? []
      : [
          paint(
            'dim',
            `[${formatCounted(providerState.length, 'item')} that only the provider reads]`,
          ),
        ]),
  ];
}

const shortArguments = 100;

function callLines(
  { name, namespace, arguments: text, kind }: ToolCall,
  options: TextOptions,
): string[] {
  const { isFull, paint } = options;
  const title = `→ ${paint('cyan', asName(namespace === undefined ? name : `${namespace}.${name}`))}`;
  if (!text.includes('\n') && !text.includes(String.raw`\n`) && text.length <= shortArguments)
    return [`${title} ${visible(text)}`];
  const fields = kind === 'custom' ? null : objectOf(text);
  if (fields === null) return [title, ...indented(fold(text, isFull))];
  return [
    title,
    ...Object.entries(fields).flatMap(([key, value]) => {
      const lines = fold(typeof value === 'string' ? value : JSON.stringify(value), isFull);
      return lines.length === 1
        ? [`    ${asName(key)}: ${lines[0]}`]
        : [`    ${asName(key)}:`, ...indented(lines)];
    }),
  ];
}

function contentLines(content: Content, options: TextOptions): string[] {
  if (typeof content === 'string') return fold(content, options.isFull);
  return content.flatMap((part) => partLines(part, options));
}

function partLines(part: Part, { isFull, paint }: TextOptions): string[] {
  if (part.type === 'text') return fold(part.text, isFull);
  if (part.type === 'native')
    return [paint('dim', `[${oneLine(JSON.stringify(part.native) ?? '', 200)}]`)];
  const [, mime, data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(part.url) ?? [];
  return [
    paint(
      'dim',
      data === undefined
        ? `[image ${oneLine(part.url, 200)}]`
        : `[image ${oneLine(mime ?? '', 40)}, ${formatBytes(data.length)}]`,
    ),
  ];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `    ${line}`));
}

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
