import type { Message } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { familyIds, rendererFor } from '@vf/renderers';
import type { Renderer, RendererOptions, Tokenizer } from '@vf/renderers';
import type { OpenedRenderer } from '../open-renderer.ts';
import { comparable, openingOf, textOf } from './prompt-text.ts';

/** What a user chooses, and a server may have chosen otherwise: no setting makes another template. */
const settings: readonly RendererOptions[] = [
  {},
  ...[true, false].flatMap((thinking) =>
    [true, false].flatMap((keepThinking) =>
      (['low', 'medium', 'high'] as const).map((effort) => ({ thinking, keepThinking, effort })),
    ),
  ),
];

/** A prompt as `comparable` makes it, and the control token that it opens with. */
export interface Prompt {
  readonly text: string;
  readonly opening: string;
}

/** null: its template has no place for such a conversation. */
export function promptBy(
  renderer: Renderer,
  messages: readonly Message[],
  tokenizer: Tokenizer,
): Prompt | null {
  const rendered = unlessMisfit(() => renderer.render({ messages }));
  if (rendered === null) return null;
  const { tokenIds } = rendered;
  const opening = openingOf(tokenIds, tokenizer);
  return { text: comparable(textOf(tokenIds, tokenizer), opening), opening };
}

/** Does a renderer write this prompt under any settings? */
export async function isWrittenBy(
  { renderer, tokenizer, setTo }: OpenedRenderer,
  prompt: string,
  messages: readonly Message[],
): Promise<boolean> {
  if (setTo === undefined) return familyWrites(renderer.family, prompt, messages, tokenizer);
  for (const options of settings) {
    const other = await setTo(options).catch(nullOfMisfit);
    if (other !== null && writes(other, prompt, messages, tokenizer)) return true;
  }
  return false;
}

/** The families that write this prompt. */
export function familiesOf(
  prompt: string,
  messages: readonly Message[],
  tokenizer: Tokenizer,
): readonly string[] {
  return familyIds.filter((family) => familyWrites(family, prompt, messages, tokenizer));
}

/** A family that the tokenizer is not of writes nothing. */
function familyWrites(
  family: string,
  prompt: string,
  messages: readonly Message[],
  tokenizer: Tokenizer,
): boolean {
  return settings.some((options) => {
    const renderer = rendererOf(family, tokenizer, options);
    return renderer !== null && writes(renderer, prompt, messages, tokenizer);
  });
}

function writes(
  renderer: Renderer,
  prompt: string,
  messages: readonly Message[],
  tokenizer: Tokenizer,
): boolean {
  const own = promptBy(renderer, messages, tokenizer);
  return own !== null && own.text === comparable(prompt, own.opening);
}

/** The renderer of a program's own is of no family. */
function rendererOf(
  family: string,
  tokenizer: Tokenizer,
  options: RendererOptions,
): Renderer | null {
  return unlessMisfit(() => rendererFor('', tokenizer, { ...options, renderer: family }));
}

function unlessMisfit<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    return nullOfMisfit(error);
  }
}

function nullOfMisfit(error: unknown): null {
  if (VfError.isInstance(error) && error.code.startsWith('misfit/')) return null;
  throw error;
}
