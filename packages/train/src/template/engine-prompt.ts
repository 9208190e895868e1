import type { Message } from '@vf/core';
import { stringOf } from '@vf/core/dialect';
import { askServer, toldTokens } from '../engine/ask-server.ts';
import type { Asking } from '../engine/ask-server.ts';
import type { EngineId } from '../engine/engine.ts';

/**
 * The ids that a server's own template makes of a conversation, up to the header of the reply; null when it does not
 * say, or has no template of its own.
 * @throws what `signal` was aborted with
 */
export async function enginePrompt(
  engine: EngineId,
  asking: Asking,
  model: string,
  messages: readonly Message[],
): Promise<readonly number[] | null> {
  if (engine === 'llama.cpp') return llamaCppPrompt(asking, messages);
  const body = { model, messages, add_generation_prompt: true };
  return toldTokens(await askServer(asking, '/tokenize', body));
}

/** The template of llama.cpp for weights that bring none, as `/props` shows it. */
const standIn = "{%- for message in messages -%}\n  {{- '<|im_start|>' + message.role + '";

async function llamaCppPrompt(
  asking: Asking,
  messages: readonly Message[],
): Promise<readonly number[] | null> {
  const props = await askServer(asking, '/props', null);
  if (stringOf(props?.['chat_template'])?.startsWith(standIn) === true) return null;
  // A server without --jinja writes what it takes for the template; it refuses any word on tools.
  const asked = { messages, tool_choice: 'none' };
  const content = stringOf((await askServer(asking, '/apply-template', asked))?.['prompt']);
  if (content === null) return null;
  const body = { content, add_special: false, parse_special: true };
  return toldTokens(await askServer(asking, '/tokenize', body));
}
