import type { AssistantMessage, Message } from '@vf/core';
import { textOfMessage } from '../../content.ts';
import type { Conversation, Family, Template } from '../../family.ts';
import { marked } from '../../live/marked-reply.ts';
import { parseBlocks } from '../../parse/blocks.ts';
import { marksBehind, splitReasoning, think } from '../../parse/reasoning.ts';
import type { ThinkMarks } from '../../parse/reasoning.ts';
import type { RendererOptions } from '../../renderer.ts';
import type { Script } from '../../script.ts';
import { limits } from '../shared/limits.ts';
import { readFencedCalls, writeFencedCall } from './fenced-call.ts';
import * as marks from './marks.ts';
import { bridgesWithoutSystem, speakerBeside, writeSystem } from './system.ts';

/** What the templates of V3 and R1 print differently. */
interface Edition {
  readonly id: string;
  /** Is the reply's header a part of the user's turn, even when no reply follows? */
  readonly headsAfterUser: boolean;
  /** Does a prompt open the reasoning, which past replies are then printed without? */
  readonly reasons: boolean;
  /** What stands between two results. */
  readonly resultGap: '\n' | '';
}

/**
 * DeepSeek V3: no reasoning, calls in JSON fences, no header after tool results.
 * Its template prints sections of calls that do not end, or do not begin, but for one lone section of two calls; what
 * V3-0324's prints stands in their place.
 */
export const deepseekV3 = deepseek({
  id: 'deepseek-v3',
  headsAfterUser: false,
  reasons: false,
  resultGap: '\n',
});

/** DeepSeek V3-0324: as V3, with a header behind each message of a user. */
export const deepseekV30324 = deepseek({
  id: 'deepseek-v3-0324',
  headsAfterUser: true,
  reasons: false,
  resultGap: '\n',
});

/**
 * DeepSeek R1: as V3, with reasoning that past replies lose. After tool results the prompt opens none.
 * Its template prints a second turn of calls without its beginning; it stands here as the first does.
 */
export const deepseekR1 = deepseek({
  id: 'deepseek-r1',
  headsAfterUser: false,
  reasons: true,
  resultGap: '',
});

function deepseek(edition: Edition): Family {
  const { begin, end, user, assistant, section, call, separator, outputs, output } = marks;
  return {
    id: edition.id,
    limits: [limits.noTools, edition.reasons ? limits.noPastReasoning : limits.noReasoning],
    controls: [begin, end, user, assistant, ...section, ...call, separator, ...outputs, ...output],
    template: (options) => makeTemplate(edition, options),
  };
}

function makeTemplate(edition: Edition, options: RendererOptions): Template {
  const reasoning: ThinkMarks = { ...think, opened: edition.reasons ? 'perhaps' : 'no' };
  return {
    retention: options.retention ?? (edition.reasons ? 'template' : 'all'),
    separator: '',
    close: marks.end,
    stops: [marks.end],
    head: writeSystem,
    message(script, conversation, index) {
      const message = conversation.messages[index];
      if (message?.role === 'user') writeUser(script, message, conversation, index, edition);
      else if (message?.role === 'tool') writeResult(script, message, conversation, index, edition);
      else if (message?.role === 'assistant') {
        const before = speakerBeside(conversation.messages, index, -1);
        const headed = edition.headsAfterUser ? before === 'user' : before !== 'tool';
        writeReply(script, message, headed, edition);
      }
    },
    generationPrompt(script, { messages }) {
      const last = speakerBeside(messages, messages.length, -1);
      if (last === 'tool') return;
      script.frame(`${marks.assistant}${edition.reasons ? '<think>\n' : ''}`);
    },
    bridges: bridgesWithoutSystem,
    live: marked({ think: edition.reasons ? reasoning : null, calls: marks.section[0] }),
    parse(all, tools, opens) {
      const [open, close] = marks.section;
      const said = edition.reasons
        ? splitReasoning(all, marksBehind(reasoning, opens))
        : { reasoning: null, rest: all };
      const read = (block: Parameters<typeof readFencedCalls>[0]) => readFencedCalls(block, tools);
      const found = parseBlocks(said.rest, { open, close, gap: '', read });
      return { ...found, reasoning: said.reasoning };
    },
  };
}

function writeUser(
  script: Script,
  message: Message,
  { messages, generation }: Conversation,
  index: number,
  { headsAfterUser }: Edition,
): void {
  script.frame(marks.user);
  script.body(textOfMessage(message));
  const next = speakerBeside(messages, index, 1);
  const isAnswered = next === undefined ? generation : next === 'assistant';
  if (headsAfterUser && !isAnswered) script.frame(marks.assistant);
}

function writeReply(
  script: Script,
  message: AssistantMessage,
  headed: boolean,
  { reasons }: Edition,
): void {
  const calls = message.toolCalls ?? [];
  const content = message.content ?? '';
  const isAnswer = reasons && headed && calls.length === 0;
  if (headed) script.frame(marks.assistant);
  script.sampled = true;
  script.body(isAnswer ? (content.split(think.close).at(-1) ?? '') : content);
  if (calls.length > 0) script.frame(marks.section[0]);
  for (const [position, call] of calls.entries()) {
    if (position > 0) script.frame('\n');
    writeFencedCall(script, call);
  }
  if (calls.length > 0) script.frame(marks.section[1]);
  script.frame(marks.end);
  script.sampled = false;
}

/** Results that answer one reply stand in one section; a user who speaks next leaves it open. */
function writeResult(
  script: Script,
  message: Message,
  { messages }: Conversation,
  index: number,
  { resultGap }: Edition,
): void {
  const isFirst = speakerBeside(messages, index, -1) !== 'tool';
  script.frame(isFirst ? marks.outputs[0] : resultGap);
  script.frame(marks.output[0]);
  script.body(textOfMessage(message));
  script.frame(marks.output[1]);
  const next = speakerBeside(messages, index, 1);
  if (next === undefined || next === 'assistant') script.frame(marks.outputs[1]);
}
