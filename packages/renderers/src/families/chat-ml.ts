import { notRenderable, textOfMessage } from '../content.ts';
import type { Family, Template } from '../family.ts';
import { marked } from '../live/marked-reply.ts';
import { textOfPieces } from '../parse/pieces.ts';
import { chatMlReply, chatMlTurn, imEnd, imStart } from './shared/chat-ml.ts';
import { limits } from './shared/limits.ts';

/** Plain ChatML, for tunes that name it: every role in a turn of its own, no tools, no reasoning. */
export const chatMl: Family = makeFamily('chatml', null);

/** SmolLM2: plain ChatML that opens with a system message of its own when there is none. */
export const smolLm2: Family = makeFamily(
  'smollm2',
  'You are a helpful AI assistant named SmolLM, trained by Hugging Face',
);

/** @param system what stands in place of a system message; null: nothing */
function makeFamily(id: string, system: string | null): Family {
  const template: Template = {
    retention: 'all',
    separator: '\n',
    close: imEnd,
    stops: [imEnd, '<|endoftext|>'],
    head(script, { messages, tools }) {
      if (tools.length > 0) throw notRenderable(`The template of ${id} declares no tools.`);
      if (system !== null && messages[0]?.role !== 'system') chatMlTurn(script, 'system', system);
      return 0;
    },
    message(script, { messages }, index) {
      const message = messages[index];
      if (message === undefined) return;
      const text = textOfMessage(message);
      if (message.role === 'assistant' && (message.toolCalls ?? []).length > 0) {
        throw notRenderable(`The template of ${id} prints no calls.`);
      }
      if (message.role === 'assistant') chatMlReply(script, () => script.body(text));
      else chatMlTurn(script, message.role, text);
    },
    generationPrompt: (script) => script.frame(`${imStart}assistant\n`),
    live: marked({ think: null, calls: null }),
    parse: (pieces) => ({ content: textOfPieces(pieces), reasoning: null, calls: [] }),
  };
  return {
    id,
    limits: ['no tools and no calls: prompts with them are refused', limits.noReasoning],
    controls: [imStart, imEnd],
    template: () => template,
  };
}
