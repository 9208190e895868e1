import type { Message } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { toldByEach } from '../engine/ask-server.ts';
import type { Asking } from '../engine/ask-server.ts';
import type { EngineId } from '../engine/engine.ts';
import type { OpenedRenderer } from '../open-renderer.ts';
import { enginePrompt } from './engine-prompt.ts';
import { familiesOf, isWrittenBy, promptBy } from './family-prompts.ts';
import type { Prompt } from './family-prompts.ts';
import { textOf, comparable } from './prompt-text.ts';

/**
 * A system message, since many templates have one of their own when there is none; no tools and no reasoning, whose
 * print is the server's or the user's choice; nothing to strip.
 */
const conversation: readonly Message[] = [
  { role: 'system', content: 'You are a careful helper.' },
  { role: 'user', content: 'What is 3 + 4?' },
  { role: 'assistant', content: '3 + 4 is 7.' },
  { role: 'user', content: 'And 5 + 6?' },
];

/**
 * Has each server write a small conversation with its own template, and compares that with what the renderer's family
 * writes. Whether it is asked to think, how hard and on which day makes no difference. A server that does not write
 * prompts passes, and a template without a system message.
 * @throws VfError `misfit/template`
 */
export async function checkTemplate(
  engine: EngineId,
  asking: Asking,
  model: string,
  opened: OpenedRenderer,
): Promise<void> {
  const { renderer, tokenizer } = opened;
  const ours = promptBy(renderer, conversation, tokenizer);
  if (ours === null) return;
  const told = await toldByEach(asking, (one) => enginePrompt(engine, one, model, conversation));
  for (const { url, told: ids } of told) {
    const prompt = textOf(ids, tokenizer);
    const theirs = comparable(prompt, ours.opening);
    if (theirs === ours.text) continue;
    if (await isWrittenBy(opened, prompt, conversation)) continue;
    throw new VfError(
      'misfit/template',
      `the renderer ${renderer.family} writes other prompts than the template that ${engine} has at ${url}: ${parting(ours, theirs)}`,
      { hint: hintFor(familiesOf(prompt, conversation, tokenizer)) },
    );
  }
}

/** Characters of a prompt that are shown of either side. */
const shown = 40;

function parting({ text: ours, opening }: Prompt, theirs: string): string {
  let at = 0;
  while (at < Math.min(ours.length, theirs.length) && ours[at] === theirs[at]) at++;
  const from = (text: string): string =>
    at === text.length ? 'nothing' : JSON.stringify(text.slice(at, at + shown));
  return `from character ${opening.length + at} on, behind ${JSON.stringify(ours.slice(Math.max(0, at - shown), at))}, the renderer writes ${from(ours)} and the engine ${from(theirs)}`;
}

function hintFor(families: readonly string[]): string {
  const fix =
    families.length === 0
      ? 'client.renderer = the family whose template the model was trained with'
      : `client.renderer = ${families.map((family) => JSON.stringify(family)).join(' or ')}, which writes what the engine does`;
  return `${fix}; client.other_template = true if this renderer is meant all the same`;
}
