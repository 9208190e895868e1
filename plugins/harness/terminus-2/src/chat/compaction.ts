import {
  afterHandover,
  answerRequest,
  questionRequest,
  shortSummaryRequest,
  summaryRequest,
} from '../prompts.ts';
import type { Chat, TextReply } from './chat.ts';
import { assistant, user } from './chat.ts';

export interface Handover {
  readonly task: string;
  readonly screen: string;
  /** What was about to be said. */
  readonly next: string;
}

type Failure = Extract<TextReply, { readonly failure: string }>;

/** Of the screen, in a summary without the conversation. */
const shortScreen = 1000;

/**
 * Restarts a conversation from its first message and a handover: a summary, questions about it by one who knows
 * nothing else, and their answers. Where even that is too long: from a short summary, or from the task alone.
 * @returns what to say next; a failure that is not for length
 */
export async function compact(
  chat: Chat,
  { task, screen, next }: Handover,
  signal: AbortSignal,
): Promise<string | Failure> {
  const first = chat.messages.slice(0, 1);
  const history = chat.messages;
  const summary = await chat.aside([...history, user(summaryRequest)], signal);
  if ('failure' in summary) return shortly(chat, { task, screen, next }, summary, signal);
  const asking = user(questionRequest(task, summary.text, screen));
  const questions = await chat.aside([asking], signal);
  if ('failure' in questions) return shortly(chat, { task, screen, next }, questions, signal);
  const told = [user(summaryRequest), assistant(summary.text), user(answerRequest(questions.text))];
  const answers = await chat.aside([...history, ...told], signal);
  if ('failure' in answers) return shortly(chat, { task, screen, next }, answers, signal);
  chat.restart([...first, asking, assistant(questions.text)]);
  return afterHandover(answers.text, next);
}

async function shortly(
  chat: Chat,
  { task, screen, next }: Handover,
  failure: Failure,
  signal: AbortSignal,
): Promise<string | Failure> {
  if (!isTooLong(failure)) return failure;
  const request = user(shortSummaryRequest(task, screen.slice(-shortScreen)));
  const summary = await chat.aside([request], signal);
  if ('failure' in summary && !isTooLong(summary)) return summary;
  chat.restart([]);
  const words = 'failure' in summary ? '' : `How far it has come:\n${summary.text}\n\n`;
  return `${words}${next}`;
}

/** Do these words of an endpoint say that the conversation has become too long? */
export function isTooLong({ failure }: Failure): boolean {
  return /context.{0,20}(?:length|window|size|limit)|prompt is too long|too many (?:input )?tokens|maximum.{0,20}tokens/i.test(
    failure,
  );
}
