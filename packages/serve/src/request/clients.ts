import { VfError } from '@vf/core/errors';
import type { Client } from '@vf/core';
import { relayClient } from '@vf/interception';
import { sendable } from '@vf/run';
import type { RunConfig, Secrets } from '@vf/run';
import type { OpenedRenderer } from '@vf/train';
import type { ClientSpec, TrainSpec } from './client-spec.ts';

/** What the config of the server says of training; a trainer's request does not. */
export type TrainDefaults = RunConfig['client']['train'];

type OpenClient = Client & { close(): Promise<void> };

const mostIdle = 16;

interface Held {
  readonly client: Promise<OpenClient>;
  users: number;
}

/** Clients shared by all rollouts that name the same endpoint and model, so that sockets stay open between them. */
export class ClientPool {
  readonly #held = new Map<string, Held>();
  /** A tokenizer takes 80 MB, and every step of a training run may be a model of its own. */
  readonly #renderers = new Map<string, Promise<OpenedRenderer>>();
  readonly #secrets: Secrets;
  readonly #defaults: TrainDefaults;
  readonly #closed = new AbortController();

  constructor(secrets: Secrets, defaults: TrainDefaults) {
    this.#secrets = secrets;
    this.#defaults = defaults;
  }

  /**
   * Gives a client while `work` lasts.
   * @throws VfError config/invalid for a base URL that is none; misfit/no_renderer, misfit/tokenizer, misfit/template,
   * misfit/plan
   */
  async use<T>(spec: ClientSpec, model: string, work: (client: Client) => Promise<T>): Promise<T> {
    const key = JSON.stringify(spec.train === null ? spec : [spec, model]);
    const held = this.#held.get(key) ?? { client: this.#open(spec, model), users: 0 };
    // The one used last stands last.
    this.#held.delete(key);
    this.#held.set(key, held);
    held.users++;
    try {
      return await work(await held.client);
    } catch (error) {
      if (await isBroken(held)) this.#held.delete(key);
      throw error;
    } finally {
      held.users--;
      await this.#closeIdle();
    }
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.allSettled([...this.#held.values()].map(close));
    this.#held.clear();
  }

  async #open(spec: ClientSpec, model: string): Promise<OpenClient> {
    const { baseUrl, keyVar, headers, headersFromEnv, train } = spec;
    const named = Object.entries(headersFromEnv).flatMap(([header, variable]) => {
      const value = this.#secrets.take(variable);
      return value === undefined ? [] : [[header, value] as const];
    });
    const key = keyVar === null ? null : (this.#secrets.take(keyVar) ?? null);
    const all = { ...headers, ...Object.fromEntries(named) };
    const address = sendable({ baseUrl, key, headers: all }, { keyVar, headersFromEnv });
    if (train === null) return relayClient(address);
    const { engine, logprobs, replicas, otherTemplate } = this.#defaults;
    if (engine === 'vllm-chat') {
      throw new VfError('config/invalid', 'trainers name a renderer, and vllm-chat has none', {
        hint: 'client.engine = "vllm"',
      });
    }
    // Renderers and tokenizers are loaded by those who train.
    const { checkTraining, makeEngine, trainClient } = await import('@vf/train');
    const opened = await this.#renderer(train, model);
    const options = { ...address, logprobs, replicas };
    const servers = { ...options, otherTemplate };
    await checkTraining(engine ?? 'vllm', servers, model, opened, this.#closed.signal);
    return trainClient({ engine: makeEngine(engine ?? 'vllm', options), model, ...opened });
  }

  /** What the trainer names wins over the config of the server. */
  async #renderer({ renderer, rendererModel }: TrainSpec, model: string): Promise<OpenedRenderer> {
    const { openRenderer } = await import('@vf/train');
    const settings = {
      model: rendererModel ?? model,
      renderer: renderer.family ?? this.#defaults.renderer,
      tokenizer: this.#defaults.tokenizer,
      options: { ...this.#defaults.rendererOptions, ...renderer.options },
    };
    // With a family and a tokenizer the name of the model decides nothing.
    const isNamed = settings.renderer !== null && settings.tokenizer !== null;
    const key = JSON.stringify(isNamed ? { ...settings, model: '' } : settings);
    const known = this.#renderers.get(key) ?? openRenderer(settings);
    this.#renderers.set(key, known);
    known.catch(() => this.#renderers.delete(key));
    return known;
  }

  async #closeIdle(): Promise<void> {
    const idle = [...this.#held].filter(([, { users }]) => users === 0);
    for (const [key, held] of idle.slice(0, Math.max(0, idle.length - mostIdle))) {
      this.#held.delete(key);
      await close(held);
    }
  }
}

async function close({ client }: Held): Promise<void> {
  await (await client).close();
}

function isBroken({ client }: Held): Promise<boolean> {
  return client.then(
    () => false,
    () => true,
  );
}
