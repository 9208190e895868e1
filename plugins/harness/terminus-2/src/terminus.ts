import type { HarnessCtx, Message, Segment } from '@vf/core';
import { textAsker, textPrompt } from '@vf/harness-kit';
import type { HostDialect } from '@vf/harness-kit';
import { Chat } from './chat/chat.ts';
import type { TextReply } from './chat/chat.ts';
import { compact, isTooLong } from './chat/compaction.ts';
import type { Config } from './config.ts';
import {
  afterCommands,
  confirmation,
  cutAnswer,
  firstMessage,
  furtherTask,
  unreadable,
} from './prompts.ts';
import type { Answer } from './protocol/answer.ts';
import { readJson } from './protocol/json-answer.ts';
import { readXml } from './protocol/xml-answer.ts';
import type { Observation } from './terminal/observation.ts';
import { limited, observe, screenOf } from './terminal/observation.ts';
import { Terminal } from './terminal/terminal.ts';

type Ctx = HarnessCtx<Config, HostDialect>;

/** What is left free when a conversation that was refused for its length is cut. */
const freeAfterRefusal = 4000;

const gone: Segment = { status: 'completed', detail: 'the terminal was ended' };

/** The loop: show the terminal, read what to type, type it. */
export class Terminus {
  readonly #ctx: Ctx;
  readonly #tmux: string;
  readonly #skills: string;
  readonly #chat: Chat;
  #terminal: Terminal | null = null;
  /** All that the terminal showed when it was looked at last. */
  #shown: string | null = null;
  #task = '';

  constructor(ctx: Ctx, tmux: string, skills: string) {
    this.#ctx = ctx;
    this.#tmux = tmux;
    this.#skills = skills;
    this.#chat = new Chat(textAsker(ctx));
  }

  async turn(prompt: string | readonly Message[], signal: AbortSignal): Promise<Segment> {
    const { maxTurns = Infinity } = this.#ctx.config;
    let next = await this.#begin(textPrompt(prompt), signal);
    let wasComplete = false;
    for (let turn = 0; next !== null && turn < maxTurns; turn++) {
      const reply = await this.#ask(next, signal);
      if ('failure' in reply) return { status: 'failed', detail: reply.failure };
      const answer = this.#read(reply);
      next = answer === null ? cutAnswer : await this.#carryOut(answer, signal);
      if (wasComplete && answer?.isComplete === true) return { status: 'completed' };
      wasComplete = answer?.isComplete === true;
    }
    if (next === null) return gone;
    return { status: 'completed', detail: `stopped after ${maxTurns} model calls` };
  }

  async close(): Promise<void> {
    await this.#terminal?.close();
    this.#terminal = null;
  }

  /** @returns what the model is told first of a user turn */
  async #begin(task: string, signal: AbortSignal): Promise<string | null> {
    const { config, systemPrompt } = this.#ctx;
    this.#task = task;
    const screen = await this.#look(signal);
    if (screen === null) return null;
    if (this.#chat.messages.length > 0) return furtherTask(task, screen.text);
    return firstMessage(config.parser, { task, systemPrompt, skills: this.#skills }, screen.text);
  }

  /** null: it broke off before it said anything whole. */
  #read(reply: Exclude<TextReply, { readonly failure: string }>): Answer | null {
    const isXml = this.#ctx.config.parser === 'xml';
    if (!reply.isCut) return isXml ? readXml(reply.text) : readJson(reply.text);
    const salvaged = isXml ? readXml(reply.text) : null;
    return salvaged?.error === null ? salvaged : null;
  }

  /** @returns what the model is told of it; null when the terminal is gone */
  async #carryOut(answer: Answer, signal: AbortSignal): Promise<string | null> {
    if (answer.error !== null) return unreadable(answer);
    for (const command of answer.commands) {
      if ((await this.#terminal?.type(command, signal)) !== true) return this.#lose();
    }
    const seen = await this.#look(signal);
    if (seen === null) return this.#lose();
    return answer.isComplete ? confirmation(answer, seen) : afterCommands(answer, seen);
  }

  #lose(): null {
    this.#terminal = null;
    this.#shown = null;
    return null;
  }

  async #look(signal: AbortSignal): Promise<Observation | null> {
    const { config } = this.#ctx;
    this.#terminal ??= await this.#start(signal);
    const now = await this.#terminal.capture(signal);
    if (now === null) return null;
    const seen = observe(this.#shown, now, config.paneHeight);
    this.#shown = now;
    return { ...seen, text: limited(seen.text, config.maxOutput) };
  }

  #start(signal: AbortSignal): Promise<Terminal> {
    const { config, runtime, env, rolloutId } = this.#ctx;
    const options = {
      runtime,
      tmux: this.#tmux,
      // Of the rollout: agents that share a box keep apart.
      folder: `${runtime.home}/.terminus-${rolloutId}`,
      env,
      width: config.paneWidth,
      height: config.paneHeight,
    };
    return Terminal.start(options, signal);
  }

  /** Sums the conversation up first when it comes near the size of the context, or was refused for it. */
  async #ask(next: string, signal: AbortSignal): Promise<TextReply> {
    const { summarize, contextWindow, freeTokens } = this.#ctx.config;
    if (!summarize) return this.#chat.say(next, signal);
    const isLong = this.#chat.tokensWith(next) > contextWindow - freeTokens;
    if (isLong && this.#chat.messages.length > 2) return this.#sayAfterHandover(next, signal);
    const reply = await this.#chat.say(next, signal);
    if (!('failure' in reply) || !isTooLong(reply) || this.#chat.messages.length === 0)
      return reply;
    this.#chat.shorten(contextWindow - freeAfterRefusal);
    return this.#sayAfterHandover(next, signal);
  }

  async #sayAfterHandover(next: string, signal: AbortSignal): Promise<TextReply> {
    const { config, systemPrompt } = this.#ctx;
    const task = this.#task;
    const screen = screenOf(this.#shown ?? '', config.paneHeight);
    const said = await compact(this.#chat, { task, screen, next }, signal);
    if (typeof said !== 'string') return said;
    if (this.#chat.messages.length > 0) return this.#chat.say(said, signal);
    const about = { task, systemPrompt, skills: this.#skills };
    return this.#chat.say(`${firstMessage(config.parser, about, screen)}\n\n${said}`, signal);
  }
}
