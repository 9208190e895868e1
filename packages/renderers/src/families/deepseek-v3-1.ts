import type { AssistantMessage, Message } from '@vf/core';
import { textOfMessage } from '../content.ts';
import type { Conversation, Family, Template } from '../family.ts';
import { checkName, parseBlocks } from '../parse/blocks.ts';
import type { Block } from '../parse/blocks.ts';
import { splitReasoning, think } from '../parse/reasoning.ts';
import type { ThinkMarks } from '../parse/reasoning.ts';
import { readSectionCalls } from '../parse/section-calls.ts';
import { parseJson } from '../python/parse-json.ts';
import type { RendererOptions } from '../renderer.ts';
import type { Script } from '../script.ts';

const begin = '<｜begin▁of▁sentence｜>';
const end = '<｜end▁of▁sentence｜>';
const section = ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'] as const;
const call = ['<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'] as const;
const separator = '<｜tool▁sep｜>';
const output = ['<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'] as const;

/**
 * DeepSeek V3.1: system messages gathered in front, no header after tool results, past reasoning never printed.
 */
export const deepseekV31: Family = {
  id: 'deepseek-v3.1',
  limits: ['the template declares no tools: the system message has to'],
  controls: [
    begin,
    end,
    '<｜User｜>',
    '<｜Assistant｜>',
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
  const marks: ThinkMarks = { ...think, opened: thinking ? 'yes' : 'no' };
  const prompt = `<｜Assistant｜>${thinking ? '<think>' : '<think></think>'}`;
  return {
    retention: options.retention ?? (thinking ? 'template' : 'all'),
    separator: '',
    close: end,
    stops: [end],
    head: writeHead,
    message(script, { messages }, index) {
      const message = messages[index];
      if (message === undefined || message.role === 'system') return;
      if (message.role === 'assistant') writeReply(script, message, followsUser(messages, index));
      else if (message.role === 'user') {
        script.frame('<｜User｜>');
        script.body(textOfMessage(message));
      } else {
        script.frame(output[0]);
        script.body(textOfMessage(message));
        script.frame(output[1]);
      }
    },
    generationPrompt(script, { messages }) {
      if (followsUser(messages, messages.length)) script.frame(prompt);
    },
    // A later system message would have to be printed in front.
    bridges: ({ messages, from }) =>
      messages.slice(from).every((message) => message.role !== 'system'),
    live: { think: marks, calls: section[0] },
    parse(pieces, tools) {
      const { reasoning, rest } = splitReasoning(pieces, marks);
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

/** Is the last message before this one that prints anything a user's? */
function followsUser(messages: readonly Message[], index: number): boolean {
  const last = messages.findLast((message, at) => at < index && message.role !== 'system');
  return last?.role === 'user';
}

function writeHead(script: Script, { messages }: Conversation): number {
  script.frame(begin);
  let first = true;
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'system') continue;
    script.message = index;
    if (!first) script.frame('\n\n');
    script.body(textOfMessage(message));
    first = false;
  }
  return 0;
}

function writeReply(script: Script, message: AssistantMessage, headed: boolean): void {
  const calls = message.toolCalls ?? [];
  if (headed) script.frame('<｜Assistant｜><think></think>');
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
