import type { AssistantMessage } from '@vf/core';
import { textOfMessage } from '../content.ts';
import type { Conversation, Family, Template } from '../family.ts';
import { marked } from '../live/marked-reply.ts';
import { marksBehind, think } from '../parse/reasoning.ts';
import type { ThinkMarks } from '../parse/reasoning.ts';
import { pythonText } from '../python/json-text.ts';
import type { RendererOptions } from '../renderer.ts';
import type { Script } from '../script.ts';
import { nemotronTools } from './nemotron-tools.ts';
import { besideTool, chatMlTurn, imEnd, imStart } from './shared/chat-ml.ts';
import {
  functionXmlInstructions,
  parseFunctionXml,
  writeFunctionXml,
} from './shared/function-xml.ts';
import { lastUser } from './shared/last-query.ts';
import { strip, stripEnd } from './shared/text.ts';

/** What lies around the end of a thought: a line end, or nothing. */
type Gap = '\n' | '';

/** Nemotron 3 Nano and Super: a system block always, a think block in every reply, calls as tags. */
export const nemotron3 = nemotron('nemotron-3', '\n');

/** Nemotron 3 Ultra: as the smaller ones, with no line ends at the end of a thought. */
export const nemotron3Ultra = nemotron('nemotron-3-ultra', '');

function nemotron(id: string, gap: Gap): Family {
  return {
    id,
    controls: [imStart, imEnd, '<tool_call>', '</tool_call>', '<think>', '</think>'],
    template: (options) => makeTemplate(gap, options),
  };
}

function makeTemplate(gap: Gap, options: RendererOptions): Template {
  const thinking = options.thinking ?? true;
  const marks: ThinkMarks = { ...think, opened: thinking ? 'yes' : 'no' };
  const keeps = options.keepThinking ?? false;
  return {
    retention: options.retention ?? (keeps ? 'all' : 'tool_cycle'),
    lastQuery: lastUser,
    separator: '\n',
    close: imEnd,
    stops: [imEnd, '<|endoftext|>', '</s>'],
    head: writeHead,
    message(script, conversation, index) {
      const message = conversation.messages[index];
      if (message === undefined) return;
      if (message.role === 'assistant') {
        writeReply(script, message, keeps || index >= conversation.lastQuery, gap);
      } else if (message.role === 'tool') writeResult(script, conversation, index);
      else chatMlTurn(script, message.role, textOfMessage(message));
    },
    generationPrompt(script) {
      script.frame(`${imStart}assistant\n${thinking ? '<think>\n' : '<think></think>'}`);
    },
    live: marked({ think: marks, calls: '<tool_call>' }),
    parse(pieces, tools, opens) {
      return parseFunctionXml(pieces, tools, { marks: marksBehind(marks, opens), gap: '\n' });
    },
  };
}

function writeHead(script: Script, { messages, tools }: Conversation): number {
  const [first] = messages;
  const system = first?.role === 'system' ? textOfMessage(first) : '';
  script.message = first?.role === 'system' ? 0 : -1;
  script.frame(`${imStart}system\n`);
  script.body(system);
  if (tools.length > 0) {
    script.frame(system === '' ? '' : '\n\n');
    script.frame('# Tools\n\nYou have access to the following functions:\n\n<tools>');
    script.plain(nemotronTools(tools));
    script.frame(`\n</tools>${functionXmlInstructions}`);
  }
  script.frame(`${imEnd}\n`);
  return first?.role === 'system' ? 1 : 0;
}

function writeReply(script: Script, message: AssistantMessage, current: boolean, gap: Gap): void {
  const reasoning = strip(message.reasoning ?? '') === '' ? '' : (message.reasoning ?? '');
  const calls = message.toolCalls ?? [];
  const text = `${reasoning === '' ? '' : gap}${message.content ?? ''}`;
  script.frame(`${imStart}assistant\n`);
  if (current && reasoning !== '') {
    script.frame('<think>\n');
    script.sampled = true;
    script.body(reasoning, 'reasoning');
    script.frame(`${gap}</think>`);
  } else script.frame('<think></think>');
  script.sampled = true;
  script.body(current || calls.length === 0 ? stripEnd(text) : strip(text));
  if (calls.length > 0) script.frame('\n');
  for (const call of calls) {
    writeFunctionXml(script, call, pythonText);
    script.frame('\n');
  }
  script.frame(imEnd);
  script.sampled = false;
  script.frame('\n');
}

function writeResult(script: Script, { messages }: Conversation, index: number): void {
  const message = messages[index];
  if (message === undefined) return;
  if (!besideTool(messages, index, -1)) script.frame(`${imStart}user\n`);
  script.frame('<tool_response>\n');
  script.body(textOfMessage(message));
  script.frame('\n</tool_response>\n');
  if (!besideTool(messages, index, 1)) script.frame(`${imEnd}\n`);
}
