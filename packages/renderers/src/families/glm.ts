import type { AssistantMessage } from '@vf/core';
import { textOfMessage } from '../content.ts';
import type { Conversation, Family, Template } from '../family.ts';
import { marked } from '../live/marked-reply.ts';
import { parseBlocks } from '../parse/blocks.ts';
import { readArgumentTags } from '../parse/argument-tags.ts';
import { marksBehind, splitReasoning, think } from '../parse/reasoning.ts';
import type { ThinkMarks } from '../parse/reasoning.ts';
import { jsonText } from '../python/json-text.ts';
import type { RendererOptions } from '../renderer.ts';
import type { Script } from '../script.ts';
import { argumentsOf } from './shared/arguments.ts';
import { lastUser } from './shared/last-query.ts';
import { saidBy } from './shared/said.ts';
import { strip } from './shared/text.ts';
import { envelopeOf } from './shared/tool-json.ts';

const roles = ['<|system|>', '<|user|>', '<|assistant|>', '<|observation|>'];
const tags = ['<arg_key>', '</arg_key>', '<arg_value>', '</arg_value>'];
const controls = [
  '[gMASK]',
  '<sop>',
  '<think>',
  '</think>',
  '<tool_call>',
  '</tool_call>',
  ...roles,
  ...tags,
];

/** What differs between the two templates of the line. */
interface Style {
  /** Line ends between marks and text: the older one has them. */
  readonly line: '\n' | '';
  /** An empty think block. */
  readonly noThought: string;
  /** End of the generation prompt, by thinking. */
  readonly prompt: (thinking: boolean) => string;
  /** Is a user told not to think by `/nothink`? */
  readonly slash: boolean;
}

const older: Style = {
  line: '\n',
  noThought: '\n<think></think>',
  prompt: (thinking) => (thinking ? '' : '\n<think></think>'),
  slash: true,
};
const newer: Style = {
  line: '',
  noThought: '</think>',
  prompt: (thinking) => (thinking ? '<think>' : '</think>'),
  slash: false,
};

/** GLM-4.5 and 4.6: no close token, the next role's token ends a reply. */
export const glm45: Family = {
  id: 'glm-4.5',
  controls,
  template: (options) => makeTemplate(older, options, false),
};

/** GLM-4.7 and 5: the same without line ends, and a bare `</think>` where there is no reasoning. */
export const glm5: Family = {
  id: 'glm-5',
  controls,
  template: (options) => makeTemplate(newer, options, options.keepThinking ?? false),
};

function makeTemplate(style: Style, options: RendererOptions, keeps: boolean): Template {
  const thinking = options.thinking ?? true;
  const asked = style.slash ? 'perhaps' : 'yes';
  const marks: ThinkMarks = { ...think, opened: thinking ? asked : 'no' };
  return {
    retention: options.retention ?? (keeps || (style.slash && !thinking) ? 'all' : 'tool_cycle'),
    lastQuery: lastUser,
    separator: '',
    close: '',
    stops: ['<|endoftext|>', '<|user|>', '<|observation|>'],
    head(script, conversation) {
      writeHead(script, conversation, style);
      return 0;
    },
    message(script, conversation, index) {
      const message = conversation.messages[index];
      if (message === undefined) return;
      if (message.role === 'assistant') {
        writeReply(script, message, style, keeps || index > conversation.lastQuery);
      } else if (message.role === 'tool') writeResult(script, conversation, index, style);
      else {
        const text = textOfMessage(message);
        script.frame(`<|${message.role}|>${style.line}`);
        script.body(text);
        const slash = style.slash && message.role === 'user' && !thinking;
        if (slash && !text.endsWith('/nothink')) script.frame('/nothink');
      }
    },
    generationPrompt: (script) => script.frame(`<|assistant|>${style.prompt(thinking)}`),
    // A role's token that was sampled must be the one that comes next.
    bridges({ messages, from }, ended) {
      const next =
        messages[from]?.role === 'tool' ? '<|observation|>' : `<|${messages[from]?.role}|>`;
      return ended === null || ended === '<|endoftext|>' || ended === next;
    },
    live: marked({ think: marks, calls: '<tool_call>', strips: true }),
    parse(pieces, tools, opens) {
      const { reasoning, rest } = splitReasoning(pieces, marksBehind(marks, opens));
      const found = parseBlocks(rest, {
        open: '<tool_call>',
        close: '</tool_call>',
        gap: style.line,
        read: (block) => [readArgumentTags(block, tools)],
      });
      return { ...found, content: strip(found.content), reasoning };
    },
  };
}

function writeHead(script: Script, { tools }: Conversation, { line }: Style): void {
  script.frame('[gMASK]<sop>');
  if (tools.length === 0) return;
  script.frame(
    '<|system|>\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\n' +
      'You are provided with function signatures within <tools></tools> XML tags:\n<tools>\n',
  );
  for (const tool of tools) script.plain(`${jsonText(envelopeOf(tool))}\n`);
  const one = `<arg_key>{arg-key-1}</arg_key>${line}<arg_value>{arg-value-1}</arg_value>${line}`;
  script.frame(
    '</tools>\n\nFor each function call, output the function name and arguments within the following XML format:\n' +
      `<tool_call>{function-name}${line}${one}${one.replaceAll('1', '2')}...${line}</tool_call>`,
  );
}

function writeReply(
  script: Script,
  message: AssistantMessage,
  { line, noThought }: Style,
  current: boolean,
): void {
  const said = saidBy(message);
  const content = strip(said.content);
  script.frame('<|assistant|>');
  script.sampled = line === '\n';
  if (current && said.reasoning !== '') {
    script.frame(`${line}<think>`);
    script.sampled = true;
    script.body(strip(said.reasoning), 'reasoning');
    script.frame('</think>');
  } else script.frame(noThought);
  script.sampled = true;
  if (content !== '') script.frame(line);
  script.body(content);
  for (const call of message.toolCalls ?? []) {
    script.frame(`${line}<tool_call>`);
    script.body(call.name, 'call');
    script.frame(line);
    for (const [key, value] of argumentsOf(call)) {
      script.frame('<arg_key>');
      script.body(key, 'call');
      script.frame(`</arg_key>${line}<arg_value>`);
      script.body(typeof value === 'string' ? value : jsonText(value), 'call');
      script.frame(`</arg_value>${line}`);
    }
    script.frame('</tool_call>');
  }
  script.sampled = false;
}

function writeResult(
  script: Script,
  { messages }: Conversation,
  index: number,
  { line }: Style,
): void {
  const message = messages[index];
  if (message === undefined) return;
  if (messages[index - 1]?.role !== 'tool') script.frame('<|observation|>');
  script.frame(`${line}<tool_response>${line}`);
  script.body(textOfMessage(message));
  script.frame(`${line}</tool_response>`);
}
