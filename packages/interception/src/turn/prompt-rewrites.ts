import type { Message } from '@vf/core';
import { sortedJson } from '@vf/core/trace';
import type { ReadRequest } from '../request/read-request.ts';

type Rewrite = (message: Message, signal: AbortSignal) => Promise<Message | void>;

/**
 * Asks the prompt hook about each new message once. A decision outlives a failed call, whose messages are new again
 * when the agent repeats them; once a message is recorded its decision stands on its node.
 */
export class PromptRewrites {
  readonly #rewrite: Rewrite;
  readonly #decisions = new Map<string, Promise<Message | null>>();

  constructor(rewrite: Rewrite) {
    this.#rewrite = rewrite;
  }

  /** The rewritten messages, by index of the request's tail. */
  async decide(request: ReadRequest, signal: AbortSignal): Promise<ReadonlyMap<number, Message>> {
    const rewritten = new Map<number, Message>();
    for (const [index, { said, rewritable }] of request.tail.entries()) {
      if (!rewritable) continue;
      // One after the other: a hook may depend on what it saw before.
      const sent = await this.#decision(keyOf(request, index), said, signal);
      if (sent !== null) rewritten.set(index, sent);
    }
    return rewritten;
  }

  /** The request's messages are recorded. */
  settle(request: ReadRequest): void {
    for (const index of request.tail.keys()) this.#decisions.delete(keyOf(request, index));
  }

  #decision(key: string, said: Message, signal: AbortSignal): Promise<Message | null> {
    let decision = this.#decisions.get(key);
    if (decision === undefined) {
      decision = this.#rewrite(said, signal).then((sent) => sent ?? null);
      decision.catch(() => this.#decisions.delete(key));
      this.#decisions.set(key, decision);
    }
    return decision;
  }
}

function keyOf(request: ReadRequest, index: number): string {
  const { node, toolList } = request.at;
  return `${toolList}/${node ?? 'root'}/${index}/${sortedJson(request.tail[index]?.said)}`;
}
