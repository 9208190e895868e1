import type { Content, Message, Part, ToolSpec } from '@vf/core';
import { VfError } from '@vf/core/errors';

/**
 * The text of a message.
 * @throws VfError `misfit/not_renderable` when it holds an image or something that vf does not understand
 */
export function textOfMessage(message: Message): string {
  const { content } = message;
  if (content === null) return '';
  return typeof content === 'string' ? content : textOfParts(content, message.role);
}

function textOfParts(content: Exclude<Content, string>, role: string): string {
  return content.map((part) => textOfPart(part, role)).join('');
}

function textOfPart(part: Part, role: string): string {
  if (part.type === 'text') return part.text;
  const what = part.type === 'image' ? 'an image' : "a part of its dialect's own";
  throw new VfError(
    'misfit/not_renderable',
    `The ${role} message holds ${what}; training takes text only.`,
    {
      hint: 'Leave it out of the prompt, or run without token capture.',
    },
  );
}

/** @throws VfError `misfit/not_renderable` for a tool that is no plain function */
export function checkTools(tools: readonly ToolSpec[]): void {
  for (const tool of tools) {
    if ((tool.kind ?? 'function') === 'function' && tool.namespace === undefined) continue;
    throw new VfError(
      'misfit/not_renderable',
      `The tool ${JSON.stringify(tool.name)} is no plain function; model templates know no other kind.`,
      { hint: 'Offer it as a function, or run without token capture.' },
    );
  }
}

/** What the family's template cannot say. */
export function notRenderable(message: string): VfError {
  return new VfError('misfit/not_renderable', message, {
    hint: 'Change the prompt, or run without token capture.',
  });
}
