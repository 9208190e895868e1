import type { Call, Exchange, Message, Prefix, Settings, TurnTokens } from '@vf/core';
import { promptOf } from '@vf/core/trace';
import type { Renderer } from '@vf/renderers';
import { refusal } from './engine/engine-failed.ts';
import { checkPast } from './past.ts';
import { offer } from './tools.ts';
import type { OfferedTools } from './tools.ts';

/** A prompt as ids, and which of them belong to which message. */
export interface Prompt extends Pick<TurnTokens, 'promptIds' | 'spans' | 'isContent'> {
  /** Ids from its beginning that the recorded turn has. */
  readonly recordedLength: number;
  /** Control tokens that messages not recorded yet spell. */
  readonly spelledControls: number;
}

/** What a call asks, and its prompt. */
export interface PromptOfCall {
  readonly settings: Settings;
  readonly offered: OfferedTools;
  readonly prompt: Prompt;
}

/**
 * The ids of a conversation. Where it goes on from a recorded turn, those of that turn as they were sent and sampled,
 * then the new messages alone, which are all that is read of the request; where the template would say something else
 * than that, all of it anew.
 * @throws VfError `misfit/not_renderable`, EngineFailed for tools that only a provider can run
 */
export function promptOfCall(renderer: Renderer, exchange: Exchange): PromptOfCall {
  const prefix = exchange.prefix();
  return (
    (prefix.tokens === null ? null : bridge(renderer, exchange, prefix, prefix.tokens)) ??
    render(renderer, exchange, prefix.messages)
  );
}

/** @param known messages that are recorded already */
function render(renderer: Renderer, exchange: Exchange, known: number): PromptOfCall {
  const call = exchange.call();
  const offered = offeredBy(call);
  const said = promptOf(call);
  checkPast(exchange, call.settings, said);
  const messages = said.map(offered.toModel);
  if (messages.length === 0) throw refusal('the request holds no message');
  const rendered = renderer.render({ messages, tools: offered.tools });
  const { tokenIds, spans, isContent } = rendered;
  const isNew = (at: number): boolean => at >= known || (at < 0 && known === 0);
  const spelledControls = rendered.spelledControls.filter(isNew).length;
  // The Jinja fallback has none.
  const content = isContent.length === 0 ? {} : { isContent };
  const prompt = { promptIds: tokenIds, spans, ...content, recordedLength: 0, spelledControls };
  return { settings: call.settings, offered, prompt };
}

function bridge(
  renderer: Renderer,
  exchange: Exchange,
  { messages: from }: Prefix,
  previous: NonNullable<Prefix['tokens']>,
): PromptOfCall | null {
  const call = exchange.call({ asRecorded: true });
  const said = promptOf(call);
  checkPast(exchange, call.settings, []);
  if (!mayFollow(said.slice(from))) return null;
  const offered = offeredBy(call);
  const messages = said.map(offered.toModel);
  const rendered = renderer.bridge({ previous, messages, from, tools: offered.tools });
  if (rendered === null) return null;
  const { tokenIds: promptIds, spans, isContent } = rendered;
  const prompt = {
    promptIds,
    spans: [...Array.from({ length: from }, () => null), ...spans],
    ...(isContent.length === 0 ? {} : { isContent }),
    recordedLength: previous.promptIds.length + previous.completionIds.length,
    spelledControls: rendered.spelledControls.length,
  };
  return { settings: call.settings, offered, prompt };
}

/** The tools of a call, none where it wants none used. */
export function offeredBy({ settings, tools }: Call): OfferedTools {
  return offer(settings.toolChoice === 'none' ? [] : tools);
}

/** Results of tools, then at most one user message: what templates write the same with or without the past. */
function mayFollow(added: readonly Message[]): boolean {
  if (added.length === 0) return false;
  return added.every(
    ({ role }, at) => role === 'tool' || (role === 'user' && at === added.length - 1),
  );
}
