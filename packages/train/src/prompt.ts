import type { Message, Prefix, ToolSpec, TurnTokens } from '@vf/core';
import type { Renderer } from '@vf/renderers';

/** A prompt as ids, and which of them belong to which message. */
export interface Prompt extends Pick<TurnTokens, 'promptIds' | 'spans' | 'isContent'> {
  /** Ids at its beginning that it takes from the recorded turn. */
  readonly recorded: number;
}

/**
 * The ids of a conversation. Where it goes on from a recorded turn, those of that turn as they were sent and sampled,
 * then the new messages alone; where the template would say something else than that, all of it anew.
 * @throws VfError `misfit/not_renderable`
 */
export function promptOfCall(
  renderer: Renderer,
  messages: readonly Message[],
  tools: readonly ToolSpec[],
  prefix: Prefix,
): Prompt {
  const bridged = bridge(renderer, messages, tools, prefix);
  if (bridged !== null) return bridged;
  const { tokenIds, spans, isContent } = renderer.render({ messages, tools });
  return { promptIds: tokenIds, spans, isContent, recorded: 0 };
}

function bridge(
  renderer: Renderer,
  messages: readonly Message[],
  tools: readonly ToolSpec[],
  { messages: from, tokens: previous }: Prefix,
): Prompt | null {
  if (previous === null || !mayFollow(messages.slice(from))) return null;
  const rendered = renderer.bridge({ previous, messages, from, tools });
  if (rendered === null) return null;
  return {
    promptIds: rendered.tokenIds,
    spans: [...messages.slice(0, from).map(() => null), ...rendered.spans],
    isContent: rendered.isContent,
    recorded: previous.promptIds.length + previous.completionIds.length,
  };
}

/** Results of tools, then at most one user message: what templates write the same with or without the past. */
function mayFollow(added: readonly Message[]): boolean {
  if (added.length === 0) return false;
  return added.every(
    ({ role }, at) => role === 'tool' || (role === 'user' && at === added.length - 1),
  );
}
