import { VfError, nearest } from '@vf/core/errors';
import type { ClientConfig, RunConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { sendable } from './sendable.ts';
import type { Address } from './sendable.ts';

/** Where model calls go. */
export interface Provider {
  readonly id: string;
  readonly baseUrl: string;
  /** Variable that holds the key; null when none is needed. */
  readonly apiKeyVar: string | null;
  readonly dialects: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

type Entry = Omit<Provider, 'id'>;

const builtIn: Readonly<Record<string, Entry>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    apiKeyVar: 'OPENAI_API_KEY',
    dialects: ['responses', 'chat-completions'],
    headers: {},
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    apiKeyVar: 'ANTHROPIC_API_KEY',
    dialects: ['messages'],
    headers: {},
  },
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKeyVar: 'OPENROUTER_API_KEY',
    dialects: ['chat-completions', 'responses', 'messages'],
    headers: {},
  },
  prime: {
    baseUrl: 'https://api.pinference.ai/api/v1',
    apiKeyVar: 'PRIME_API_KEY',
    dialects: ['chat-completions'],
    headers: {},
  },
  // The port of vLLM's own server; llama.cpp, vLLM and SGLang all speak the three dialects.
  local: {
    baseUrl: 'http://127.0.0.1:8000/v1',
    apiKeyVar: null,
    dialects: ['chat-completions', 'responses', 'messages'],
    headers: {},
  },
};

/** What is done about a key that is not set: a run throws it, a plan that nobody plays notes it. */
export type OnNoKey = (error: VfError) => void;

const throwIt: OnNoKey = (error) => {
  throw error;
};

/**
 * The provider that the config names, or the one whose key is set.
 * @param chosenBy where the choice was made, for the message: `client.provider in nightly.toml:6`
 * @throws VfError provider/no_key (unless `onNoKey` takes it), config/invalid
 */
export function chooseProvider(
  client: ClientConfig,
  configured: RunConfig['providers'],
  secrets: Secrets,
  chosenBy: string | null,
  onNoKey = throwIt,
): Provider {
  const all: Readonly<Record<string, Entry>> = { ...builtIn, ...withHeaders(configured) };
  const provider = withOverrides(
    client,
    client.baseUrl !== null && client.provider === null
      ? custom(client)
      : pick(client, all, secrets, onNoKey),
  );
  const { apiKeyVar } = provider;
  if (apiKeyVar === null || secrets.isSet(apiKeyVar)) return provider;
  const choice = chosenBy === null ? '' : `, chosen by ${chosenBy}`;
  onNoKey(
    new VfError('provider/no_key', `${apiKeyVar} is not set (provider ${provider.id}${choice})`, {
      hint: `export ${apiKeyVar}=…   or --env-file .env   or --provider local`,
    }),
  );
  return provider;
}

function withHeaders(configured: RunConfig['providers']): Record<string, Entry> {
  return Object.fromEntries(
    Object.entries(configured).map(([id, entry]) => [
      id,
      { ...entry, headers: entry.headers ?? {} },
    ]),
  );
}

function custom(client: ClientConfig): Provider {
  const dialects = client.dialects ?? ['chat-completions', 'responses', 'messages'];
  return {
    id: 'custom',
    baseUrl: client.baseUrl ?? '',
    apiKeyVar: client.apiKeyVar,
    dialects,
    headers: {},
  };
}

function pick(
  client: ClientConfig,
  all: Readonly<Record<string, Entry>>,
  secrets: Secrets,
  onNoKey: OnNoKey,
): Provider {
  const id = client.provider ?? theOneWithKey(all, secrets, onNoKey);
  if (id === null) return undecided;
  const entry = Object.hasOwn(all, id) ? all[id] : undefined;
  if (entry !== undefined) return { id, ...entry };
  const close = nearest(id, Object.keys(all));
  throw new VfError(
    'config/invalid',
    `no provider "${id}"${close === null ? '' : `; nearest: ${close}`}`,
    {
      hint: `--provider ${close ?? Object.keys(all)[0]}, or client.base_url with client.api_key_var; known: ${Object.keys(all).join(', ')}`,
    },
  );
}

/** Stands for the provider until a key says which one: whatever the agent speaks. Nobody has such an address (RFC 2606). */
const undecided: Provider = {
  id: 'undecided',
  baseUrl: 'http://undecided.invalid',
  apiKeyVar: null,
  dialects: ['chat-completions', 'responses', 'messages'],
  headers: {},
};

/** null: none, and `onNoKey` has taken it. */
function theOneWithKey(
  all: Readonly<Record<string, Entry>>,
  secrets: Secrets,
  onNoKey: OnNoKey,
): string | null {
  const ready = Object.entries(all).filter(
    ([, { apiKeyVar }]) => apiKeyVar !== null && secrets.isSet(apiKeyVar),
  );
  if (ready.length === 1 && ready[0] !== undefined) return ready[0][0];
  if (ready.length > 1) {
    throw new VfError(
      'config/invalid',
      `keys of several providers are set: ${ready.map(([id]) => id).join(', ')}`,
      {
        hint: `choose one: --provider ${ready[0]?.[0]}`,
      },
    );
  }
  const keys = Object.values(all).flatMap(({ apiKeyVar }) => apiKeyVar ?? []);
  onNoKey(
    new VfError(
      'provider/no_key',
      `no provider is named and no provider's key is set (looked for ${keys.join(', ')})`,
      {
        hint: 'export one of them   or --env-file .env   or --provider local --base-url http://127.0.0.1:8000/v1',
      },
    ),
  );
  return null;
}

function withOverrides(client: ClientConfig, provider: Provider): Provider {
  return {
    ...provider,
    baseUrl: client.baseUrl ?? provider.baseUrl,
    apiKeyVar: client.apiKeyVar ?? provider.apiKeyVar,
    dialects: client.dialects ?? provider.dialects,
    headers: { ...provider.headers, ...client.headers },
  };
}

/**
 * Where calls go and what goes along: the provider's own headers, and those that the client takes from variables.
 * @throws VfError provider/no_key when one of these is not set, unless `onNoKey` takes it; config/invalid for what no
 * header can hold
 */
export function addressOf(
  { baseUrl, apiKeyVar, headers }: Provider,
  { headersFromEnv: named }: Pick<ClientConfig, 'headersFromEnv'>,
  secrets: Secrets,
  onNoKey = throwIt,
): Address {
  const address = {
    baseUrl,
    key: apiKeyVar === null ? null : (secrets.take(apiKeyVar) ?? null),
    headers: { ...headers, ...headersFromEnv(named, secrets, onNoKey) },
  };
  return sendable(address, { keyVar: apiKeyVar, headersFromEnv: named });
}

/** Header -> value of the variable that the config names for it. */
function headersFromEnv(
  names: Readonly<Record<string, string>>,
  secrets: Secrets,
  onNoKey: OnNoKey,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([header, variable]) => {
      const value = secrets.take(variable);
      if (value !== undefined) return [[header, value]];
      const message = `${variable} is not set (client.headers_from_env, header ${header})`;
      onNoKey(
        new VfError('provider/no_key', message, {
          hint: `export ${variable}=…   or --env-file .env`,
        }),
      );
      return [];
    }),
  );
}
