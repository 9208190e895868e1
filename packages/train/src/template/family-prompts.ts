import type { Message } from '@vf/core';
import { familyIds, rendererFor } from '@vf/renderers';
import type { Renderer, RendererOptions, Tokenizer } from '@vf/renderers';
import { VfError } from '@vf/core/errors';
import { openingOf, textOf, comparable } from './prompt-text.ts';

/** What a user chooses, and a server may have chosen otherwise: no setting makes another family. */
const settings: readonly RendererOptions[] = [true, false].flatMap((thinking) =>
  [true, false].flatMap((keepThinking) =>
    (['low', 'medium', 'high'] as const).map((effort) => ({ thinking, keepThinking, effort })),
  ),
);

/** A prompt as `comparable` makes it, and the control token that it opens with. */
export interface Prompt {
  readonly text: string;
  readonly opening: string;
}

export function promptBy(
  renderer: Renderer,
  messages: readonly Message[],
  tokenizer: Tokenizer,
): Prompt {
  const { tokenIds } = renderer.render({ messages });
  const opening = openingOf(tokenIds, tokenizer);
  return { text: comparable(textOf(tokenIds, tokenizer), opening), opening };
}

/** Does a family write this prompt, whatever its settings? One that the tokenizer is not of writes none. */
export function isWrittenBy(
  family: string,
  prompt: string,
  messages: readonly Message[],
  tokenizer: Tokenizer,
): boolean {
  return settings.some((options) => {
    const renderer = rendererOf(family, tokenizer, options);
    if (renderer === null) return false;
    const { text, opening } = promptBy(renderer, messages, tokenizer);
    return text === comparable(prompt, opening);
  });
}

/** The families that write this prompt. */
export function familiesOf(
  prompt: string,
  messages: readonly Message[],
  tokenizer: Tokenizer,
): readonly string[] {
  return familyIds.filter((family) => isWrittenBy(family, prompt, messages, tokenizer));
}

function rendererOf(
  family: string,
  tokenizer: Tokenizer,
  options: RendererOptions,
): Renderer | null {
  try {
    return rendererFor('', tokenizer, { ...options, renderer: family });
  } catch (error) {
    // The renderer of a program's own is of no family.
    if (VfError.isInstance(error) && error.code.startsWith('misfit/')) return null;
    throw error;
  }
}
