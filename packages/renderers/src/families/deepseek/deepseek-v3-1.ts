import type { AssistantMessage } from '@vf/core';
import { textOfMessage } from '../../content.ts';
import type { Family, Template } from '../../family.ts';
import { marked } from '../../live/marked-reply.ts';
import { checkName, parseBlocks } from '../../parse/blocks.ts';
import type { Block } from '../../parse/blocks.ts';
import { marksBehind, splitReasoning, think } from '../../parse/reasoning.ts';
import type { ThinkMarks } from '../../parse/reasoning.ts';
import { readSectionCalls } from '../../parse/section-calls.ts';
import { parseJson } from '../../python/parse-json.ts';
import type { RendererOptions } from '../../renderer.ts';
import type { Script } from '../../script.ts';
import { limits } from '../shared/limits.ts';
import { assistant, begin, call, end, output, section, separator, user } from './marks.ts';
import { bridgesWithoutSystem, speakerBeside, writeSystem } from './system.ts';

/**
 * DeepSeek V3.1: system messages gathered in front, no header after tool results, past reasoning never printed.
 */
export const deepseekV31: Family = {
  id: 'deepseek-v3.1',
  limits: [limits.noTools, limits.noPastReasoning],
  controls: [
    begin,
    end,
    user,
    assistant,
    '<think>',
    '</think>',
    ...section,
    ...call,
    separator,
    ...output,
  ],
  template: makeTemplate,
};

function makeTemplate(options: RendererOptions): Template {
  const thinking = options.thinking ?? false;
  // After tool results the prompt opens no reasoning.
  const marks: ThinkMarks = { ...think, opened: thinking ? 'perhaps' : 'no' };
  const prompt = `${assistant}${thinking ? '<think>' : '<think></think>'}`;
  return {
    retention: options.retention ?? (thinking ? 'template' : 'all'),
    separator: '',
    close: end,
    stops: [end],
    head: writeSystem,
    message(script, { messages }, index) {
      const message = messages[index];
      if (message === undefined || message.role === 'system') return;
      if (message.role === 'assistant')
        writeReply(script, message, speakerBeside(messages, index, -1) === 'user');
      else if (message.role === 'user') {
        script.frame(user);
        script.body(textOfMessage(message));
      } else {
        script.frame(output[0]);
        script.body(textOfMessage(message));
        script.frame(output[1]);
      }
    },
    generationPrompt(script, { messages }) {
      if (speakerBeside(messages, messages.length, -1) === 'user') script.frame(prompt);
    },
    bridges: bridgesWithoutSystem,
    live: marked({ think: marks, calls: section[0] }),
    parse(pieces, tools, opens) {
      const { reasoning, rest } = splitReasoning(pieces, marksBehind(marks, opens));
      const read = (block: Block) =>
        readSectionCalls(block, { open: call[0], close: call[1], separator }).map(
          ({ head, body, ...found }) => {
            if (found.status !== 'ok') return { ...found, name: null, arguments: null };
            const name = head.trim() === '' ? null : head.trim();
            if (body === null || parseJson(body) === undefined) {
              return { ...found, name, arguments: null, status: 'invalid_json' as const };
            }
            const parsed = { ...found, name, arguments: body };
            return name === null
              ? { ...parsed, status: 'missing_name' as const }
              : checkName(parsed, tools);
          },
        );
      return {
        ...parseBlocks(rest, { open: section[0], close: section[1], gap: '', read }),
        reasoning,
      };
    },
  };
}

function writeReply(script: Script, message: AssistantMessage, headed: boolean): void {
  const calls = message.toolCalls ?? [];
  if (headed) script.frame(`${assistant}<think></think>`);
  script.sampled = true;
  script.body(message.content ?? '');
  if (calls.length > 0) script.frame(section[0]);
  for (const { name, arguments: text } of calls) {
    script.frame(call[0]);
    script.body(name, 'call');
    script.frame(separator);
    script.body(text, 'call');
    script.frame(call[1]);
  }
  if (calls.length > 0) script.frame(section[1]);
  script.frame(end);
  script.sampled = false;
}
