import type { Client } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { relayClient } from '@vf/interception';
import type { Secrets } from '@vf/run';
import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';

/** Where a trainer wants the model asked. */
export interface ClientSpec {
  readonly baseUrl: string;
  /** The variable of this process that holds the key. */
  readonly keyVar: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersFromEnv: Readonly<Record<string, string>>;
}

/** @throws VfError usage/invalid; misfit/plan for a client that wants tokens */
export function readClient(client: JsonRecord): ClientSpec {
  const { type, base_url: baseUrl, api_key_var: keyVar } = client;
  if (type === 'train') {
    throw new VfError(
      'misfit/plan',
      'client.type "train" is not served: this server relays calls',
      {
        hint: 'client.type "eval", with an engine that speaks the dialect of the harness',
      },
    );
  }
  if (type !== undefined && type !== 'eval')
    throw new VfError('usage/invalid', `client.type ${JSON.stringify(type)} is not known`);
  if (typeof baseUrl !== 'string') throw new VfError('usage/invalid', 'client needs base_url');
  return {
    baseUrl,
    keyVar: typeof keyVar === 'string' && keyVar !== '' ? keyVar : null,
    headers: texts(client['headers']),
    headersFromEnv: texts(client['headers_from_env']),
  };
}

function texts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

const mostIdle = 16;

interface Held {
  readonly client: Client & { close(): Promise<void> };
  users: number;
}

/** Clients shared by all rollouts that name the same endpoint, so that sockets stay open between them. */
export class ClientPool {
  readonly #held = new Map<string, Held>();
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Gives a client while `work` lasts. @throws VfError config/invalid for a base URL that is none */
  async use<T>(spec: ClientSpec, work: (client: Client) => Promise<T>): Promise<T> {
    const key = JSON.stringify(spec);
    const held = this.#held.get(key) ?? { client: this.#open(spec), users: 0 };
    // The one used last stands last.
    this.#held.delete(key);
    this.#held.set(key, held);
    held.users++;
    try {
      return await work(held.client);
    } finally {
      held.users--;
      await this.#closeIdle();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#held.values()].map(({ client }) => client.close()));
    this.#held.clear();
  }

  #open({ baseUrl, keyVar, headers, headersFromEnv }: ClientSpec): Held['client'] {
    const named = Object.entries(headersFromEnv).flatMap(([header, variable]) => {
      const value = this.#secrets.take(variable);
      return value === undefined ? [] : [[header, value] as const];
    });
    return relayClient({
      baseUrl,
      key: keyVar === null ? null : (this.#secrets.take(keyVar) ?? null),
      headers: { ...headers, ...Object.fromEntries(named) },
    });
  }

  async #closeIdle(): Promise<void> {
    const idle = [...this.#held].filter(([, { users }]) => users === 0);
    for (const [key, { client }] of idle.slice(0, Math.max(0, idle.length - mostIdle))) {
      this.#held.delete(key);
      await client.close();
    }
  }
}
