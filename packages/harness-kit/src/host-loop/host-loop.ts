import type { AgentSession, HarnessCtx, HostTool, Message, Segment, ToolCall } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { wires } from '../wire/index.ts';
import type { HostDialect } from '../wire/index.ts';
import type { ToolAnswer, Wire } from '../wire/wire.ts';
import { ask } from './ask.ts';
import { toolContent } from './tool-content.ts';

export interface HostLoopOptions {
  readonly ctx: HarnessCtx<object, HostDialect>;
  /** Model calls of one turn; beyond it the agent stops. */
  readonly maxTurns: number;
  /** Ask for streamed replies. */
  readonly stream: boolean;
  /** Stands before the task's own system prompt. */
  readonly systemPrompt?: string;
  /** The agent's own tools, offered before the task's. */
  readonly tools?: readonly HostTool[];
}

/** An agent that lives in our process: asks the model, calls the tools it names, until it names none. */
export function hostLoop(options: HostLoopOptions): AgentSession {
  const loop = new HostLoop(options);
  return { turn: (prompt, signal) => loop.turn(prompt, signal), close: async () => {} };
}

class HostLoop {
  readonly #options: HostLoopOptions;
  readonly #wire: Wire;
  readonly #tools: readonly HostTool[];
  readonly #items: unknown[] = [];
  #system: string | null;

  constructor(options: HostLoopOptions) {
    const { ctx, tools = [], systemPrompt = null } = options;
    this.#options = options;
    this.#wire = wires[ctx.dialect];
    this.#tools = tools.length === 0 ? ctx.tools : [...tools, ...ctx.tools];
    this.#system = joined([systemPrompt, ctx.systemPrompt]);
  }

  async turn(prompt: string | readonly Message[], signal: AbortSignal): Promise<Segment> {
    this.#hear(prompt);
    const { ctx, maxTurns, stream } = this.#options;
    const tools = this.#tools.map(({ spec }) => spec);
    for (let turn = 0; turn < maxTurns; turn++) {
      const what = { model: ctx.model, system: this.#system, items: this.#items, tools, stream };
      const reply = await ask(this.#wire, ctx.endpoint, what, signal);
      if ('failure' in reply) return { status: 'failed', detail: reply.failure };
      this.#items.push(...reply.items);
      if (reply.calls.length === 0) return { status: 'completed' };
      if (await this.#act(reply.calls, signal)) return { status: 'completed' };
    }
    return { status: 'completed', detail: `stopped after ${maxTurns} model calls` };
  }

  #hear(prompt: string | readonly Message[]): void {
    const heard: readonly Message[] =
      typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
    const items = this.#wire.items(heard);
    if (items.length < heard.length) this.#takeSystem(heard);
    this.#items.push(...items);
  }

  /** The dialect has its system prompt outside the conversation. */
  #takeSystem(heard: readonly Message[]): void {
    const said = heard.filter(({ role }) => role === 'system');
    this.#system = joined([this.#system, ...said.map(({ content }) => textOf(content))]);
  }

  /** Calls what the model asked for, one after another: tools share state. @returns has a tool ended the rollout? */
  async #act(calls: readonly ToolCall[], signal: AbortSignal): Promise<boolean> {
    const answers: ToolAnswer[] = [];
    let ended = false;
    for (const call of calls) {
      const tool = this.#tools.find(({ spec }) => spec.name === call.name);
      const result =
        tool === undefined
          ? { content: `there is no tool ${call.name}`, isError: true }
          : await tool.call(call.arguments, signal);
      const isError = result.isError === true;
      answers.push({ call, content: toolContent(result.content), isError });
      if ('end' in result && result.end !== undefined) ended = true;
    }
    this.#items.push(...this.#wire.answers(answers));
    return ended;
  }
}

function joined(texts: readonly (string | null)[]): string | null {
  const said = texts.filter((text) => text !== null && text !== '');
  return said.length === 0 ? null : said.join('\n\n');
}
