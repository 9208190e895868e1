import type { AssistantMessage } from '@vf/core';
import { textOfMessage } from '../content.ts';
import type { Conversation, Family, Template } from '../family.ts';
import { marked } from '../live/marked-reply.ts';
import { checkName, parseBlocks } from '../parse/blocks.ts';
import type { Block } from '../parse/blocks.ts';
import { readSectionCalls } from '../parse/section-calls.ts';
import { parseJson } from '../python/parse-json.ts';
import { sortedJsonText } from '../python/json-text.ts';
import type { RendererOptions } from '../renderer.ts';
import type { Script } from '../script.ts';
import { kimiIds } from './kimi-ids.ts';
import { limits } from './shared/limits.ts';
import { envelopeOf } from './shared/tool-json.ts';

const middle = '<|im_middle|>';
const end = '<|im_end|>';
const section = ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'] as const;
const call = ['<|tool_call_begin|>', '<|tool_call_end|>'] as const;
const callArguments = '<|tool_call_argument_begin|>';
const roles = {
  system: '<|im_system|>system',
  user: '<|im_user|>user',
  assistant: '<|im_assistant|>assistant',
  tool: '<|im_system|>tool',
} as const;

/** Kimi K2: ids of calls are `functions.NAME:N` and stand in the text; no reasoning. Tools are sorted. */
export const kimiK2: Family = {
  id: 'kimi-k2',
  limits: [limits.noReasoning],
  controls: [
    '<|im_system|>',
    '<|im_user|>',
    '<|im_assistant|>',
    middle,
    end,
    ...section,
    ...call,
    callArguments,
  ],
  template: makeTemplate,
};

function makeTemplate(options: RendererOptions): Template {
  return {
    retention: options.retention ?? 'all',
    separator: '',
    close: end,
    stops: [end, '[EOS]'],
    head: writeHead,
    message(script, conversation, index) {
      const message = conversation.messages[index];
      if (message === undefined) return;
      script.frame(`${roles[message.role]}${middle}`);
      if (message.role === 'assistant') return writeReply(script, conversation, message, index);
      if (message.role === 'tool') {
        script.frame('## Return of ');
        script.plain(kimiIds(conversation.messages).ofResult(index));
        script.frame('\n');
      }
      script.body(textOfMessage(message));
      script.frame(end);
    },
    generationPrompt: (script) => script.frame(`${roles.assistant}${middle}`),
    live: marked({ think: null, calls: section[0] }),
    parse(pieces, tools) {
      const read = (block: Block) =>
        readSectionCalls(block, { open: call[0], close: call[1], separator: callArguments }).map(
          ({ head, body, ...found }) => {
            const name = /^(?:functions\.)?(.+?)(?::\d+)?$/.exec(head.trim())?.[1] ?? null;
            const json = body === null ? undefined : parseJson(body);
            if (found.status !== 'ok') return { ...found, name: null, arguments: null };
            if (json === undefined) {
              return { ...found, name, arguments: null, status: 'invalid_json' as const };
            }
            const parsed = { ...found, id: head.trim(), name, arguments: body };
            return name === null
              ? { ...parsed, status: 'missing_name' as const }
              : checkName(parsed, tools);
          },
        );
      const found = parseBlocks(pieces, { open: section[0], close: section[1], gap: '', read });
      return { ...found, reasoning: null };
    },
  };
}

function writeHead(script: Script, { messages, tools }: Conversation): number {
  if (tools.length > 0) {
    script.frame(`<|im_system|>tool_declare${middle}`);
    script.plain(sortedJsonText(tools.map(envelopeOf)));
    script.frame(end);
  }
  if (messages[0]?.role !== 'system') {
    script.frame(
      `${roles.system}${middle}You are Kimi, an AI assistant created by Moonshot AI.${end}\n`,
    );
  }
  return 0;
}

function writeReply(
  script: Script,
  { messages }: Conversation,
  message: AssistantMessage,
  index: number,
): void {
  const calls = message.toolCalls ?? [];
  const ids = calls.length === 0 ? [] : kimiIds(messages).ofReply(index);
  script.sampled = true;
  script.body(message.content ?? '');
  if (calls.length > 0) script.frame(section[0]);
  for (const [position, { arguments: text }] of calls.entries()) {
    script.frame(call[0]);
    script.body(ids[position] ?? '', 'call');
    script.frame(callArguments);
    script.body(text, 'call');
    script.frame(call[1]);
  }
  if (calls.length > 0) script.frame(section[1]);
  script.frame(end);
  script.sampled = false;
}
