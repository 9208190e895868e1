import { VfError } from '@vf/core/errors';
import type { Bound } from './bound.ts';
import { bridge } from './bridge.ts';
import { checkTools } from './content.ts';
import { encodeScript } from './encode-script.ts';
import type { Conversation, Family, Template } from './family.ts';
import { follow } from './live/follow.ts';
import { piecesOf } from './parse/pieces.ts';
import { think } from './parse/reasoning.ts';
import type { Rendered } from './rendered.ts';
import type { Renderer, RendererOptions, RenderRequest } from './renderer.ts';
import { Script } from './script.ts';
import { familyHash } from './template-hash.ts';
import { ControlNames } from './tokenizer/control-names.ts';
import { ControlPattern } from './tokenizer/control-pattern.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';

/**
 * A renderer of a family with a model's tokenizer.
 * @throws VfError `misfit/tokenizer` when control tokens of the family are missing
 */
export function makeRenderer(
  family: Family,
  tokenizer: Tokenizer,
  options: RendererOptions = {},
): Renderer {
  checkControls(family, tokenizer);
  const template = family.template(options);
  const names = new ControlNames(tokenizer);
  const stops = stopsOf(template, tokenizer);
  const bound: Bound = { template, tokenizer, stops, pattern: new ControlPattern(tokenizer) };
  return {
    family: family.id,
    retention: template.retention,
    templateSha256: familyHash(family.id, options),
    limits: family.limits ?? [],
    stopIds: [...stops.keys()],
    render: (request) => renderFull(bound, request),
    parse(completionIds, tools = [], prompt) {
      const end = firstStop(completionIds, names, stops);
      const pieces = piecesOf(completionIds, end, tokenizer, names);
      return template.parse(pieces, tools, opensReasoning(prompt, names));
    },
    bridge: (request) => bridge(bound, request),
    follow: (prompt) =>
      follow(template.live(opensReasoning(prompt, names)), { tokenizer, names, stops }),
  };
}

function renderFull(bound: Bound, request: RenderRequest): Rendered {
  const { messages, tools = [], generationPrompt = true } = request;
  checkTools(tools);
  const script = new Script();
  const conversation: Conversation = {
    messages,
    tools,
    generation: generationPrompt,
    lastQuery: bound.template.lastQuery?.(messages) ?? -1,
    from: 0,
  };
  const first = bound.template.head(script, conversation);
  for (let index = first; index < messages.length; index++) {
    script.message = index;
    bound.template.message(script, conversation, index);
  }
  script.message = -1;
  if (generationPrompt) bound.template.generationPrompt(script, conversation);
  return encodeScript(script.runs, bound.tokenizer, bound.pattern, messages.length);
}

/** A prompt ends within reasoning when its last control token opens it. */
function opensReasoning(
  prompt: ArrayLike<number> | undefined,
  names: ControlNames,
): boolean | null {
  if (prompt === undefined) return null;
  for (let at = prompt.length - 1; at >= 0; at--) {
    const name = names.get(prompt[at] as number);
    if (name !== undefined) return name === think.open;
  }
  return false;
}

function firstStop(
  ids: ArrayLike<number>,
  names: ControlNames,
  stops: ReadonlyMap<number, string>,
): number {
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] as number;
    if (names.get(id) !== undefined && stops.has(id)) return at;
  }
  return ids.length;
}

function stopsOf(template: Template, tokenizer: Tokenizer): Map<number, string> {
  const stops = new Map<number, string>();
  for (const name of template.stops) {
    const id = tokenizer.controls.get(name);
    if (id !== undefined) stops.set(id, name);
  }
  return stops;
}

function checkControls(family: Family, tokenizer: Tokenizer): void {
  const missing = family.controls.filter((name) => !tokenizer.controls.has(name));
  if (missing.length === 0) return;
  throw new VfError(
    'misfit/tokenizer',
    `The tokenizer has no control token ${missing.join(', ')}, which the renderer ${family.id} needs.`,
    { hint: "Check that the tokenizer is the model's own, and name another renderer if it is." },
  );
}
