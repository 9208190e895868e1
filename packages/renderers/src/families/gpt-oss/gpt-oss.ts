import type { Message } from '@vf/core';
import { notRenderable, textOfMessage } from '../../content.ts';
import type { Conversation, Family, Template } from '../../family.ts';
import type { RendererOptions } from '../../renderer.ts';
import type { Script } from '../../script.ts';
import { limits } from '../shared/limits.ts';
import { LiveHarmony } from './live-harmony.ts';
import { parseHarmony } from './parse-harmony.ts';
import { toolNamespace } from './tool-namespace.ts';
import { writeHarmonyReply } from './write-reply.ts';

/** gpt-oss: harmony's channels; analysis is dropped once a final answer follows. */
export const gptOss: Family = {
  id: 'gpt-oss',
  limits: [limits.oneSystem, limits.oneCall],
  controls: [
    '<|start|>',
    '<|channel|>',
    '<|message|>',
    '<|constrain|>',
    '<|end|>',
    '<|call|>',
    '<|return|>',
  ],
  template: makeTemplate,
};

function makeTemplate(options: RendererOptions): Template {
  const date = dateText(options.date ?? new Date());
  const effort = options.effort ?? 'medium';
  return {
    retention: options.retention ?? 'tool_cycle',
    separator: '',
    close: '<|end|>',
    stops: ['<|return|>', '<|call|>', '<|endoftext|>'],
    head: (script, conversation) => writeHead(script, conversation, { date, effort }),
    message(script, conversation, index) {
      const message = conversation.messages[index];
      if (message === undefined) return;
      if (message.role === 'system') {
        throw notRenderable(
          'The template of gpt-oss prints a system message only in the first place.',
        );
      }
      if (message.role === 'assistant') writeHarmonyReply(script, conversation, message, index);
      else if (message.role === 'tool') {
        const name = toolNameOf(conversation.messages, index);
        script.frame('<|start|>functions.');
        script.plain(name);
        script.frame(' to=assistant<|channel|>commentary<|message|>');
        script.body(JSON.stringify(textOfMessage(message)));
        script.frame('<|end|>');
      } else {
        script.frame('<|start|>user<|message|>');
        script.body(textOfMessage(message));
        script.frame('<|end|>');
      }
    },
    generationPrompt: (script) => script.frame('<|start|>assistant'),
    live: () => new LiveHarmony(),
    parse: parseHarmony,
  };
}

function dateText(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function writeHead(
  script: Script,
  { messages, tools }: Conversation,
  { date, effort }: { readonly date: string; readonly effort: string },
): number {
  const [first] = messages;
  const system = first?.role === 'system' ? textOfMessage(first) : '';
  script.frame(
    '<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.\n' +
      `Knowledge cutoff: 2024-06\nCurrent date: ${date}\n\nReasoning: ${effort}\n\n` +
      '# Valid channels: analysis, commentary, final. Channel must be included for every message.',
  );
  if (tools.length > 0) {
    script.frame("\nCalls to these tools must go to the commentary channel: 'functions'.");
  }
  script.frame('<|end|>');
  script.message = first?.role === 'system' ? 0 : -1;
  if (system !== '' || tools.length > 0) {
    script.frame('<|start|>developer<|message|>');
    if (system !== '') {
      script.frame('# Instructions\n\n');
      script.body(system);
      script.frame('\n\n');
    }
    if (tools.length > 0) {
      script.frame('# Tools\n\n');
      script.plain(toolNamespace(tools));
    }
    script.frame('<|end|>');
  }
  return first?.role === 'system' ? 1 : 0;
}

/** The tool that a result comes from: the call it answers, by id, else the last one made. */
function toolNameOf(messages: readonly Message[], index: number): string {
  const result = messages[index];
  const reply = messages.findLast((message, at) => at < index && message.role === 'assistant');
  const calls = reply?.role === 'assistant' ? (reply.toolCalls ?? []) : [];
  const id = result?.role === 'tool' ? result.toolCallId : '';
  const named = result?.role === 'tool' ? result.name : undefined;
  const name = calls.find((call) => call.id === id)?.name ?? calls[0]?.name ?? named;
  if (name !== undefined) return name;
  throw notRenderable('A tool result follows no call, and gpt-oss names the tool in front of it.');
}
