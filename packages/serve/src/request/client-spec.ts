import { VfError } from '@vf/core/errors';
import { readRenderer } from '@vf/run';
import type { RendererSpec } from '@vf/run';
import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';

/** Where a trainer wants the model asked, and how: by the agent's own calls, or with token ids. */
export interface ClientSpec {
  readonly baseUrl: string;
  /** The variable of this process that holds the key. */
  readonly keyVar: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersFromEnv: Readonly<Record<string, string>>;
  /** null: calls are relayed as they are. */
  readonly train: TrainSpec | null;
}

export interface TrainSpec {
  readonly renderer: RendererSpec;
  /** Whose tokenizer and template it is, when the served model is an adapter; null: those of the model. */
  readonly rendererModel: string | null;
}

/** @throws VfError usage/invalid; misfit/no_renderer for a renderer setting that vf does not have */
export function readClient(client: JsonRecord): ClientSpec {
  const { type, base_url: baseUrl, api_key_var: keyVar } = client;
  if (type !== undefined && type !== 'eval' && type !== 'train')
    throw new VfError('usage/invalid', `client.type ${JSON.stringify(type)} is not known`);
  if (typeof baseUrl !== 'string') throw new VfError('usage/invalid', 'client needs base_url');
  if (!isAddress(baseUrl)) {
    throw new VfError('usage/invalid', `client.base_url ${JSON.stringify(baseUrl)} is no address`, {
      hint: 'http://HOST:PORT/v1',
    });
  }
  return {
    baseUrl,
    keyVar: typeof keyVar === 'string' && keyVar !== '' ? keyVar : null,
    headers: texts(client['headers']),
    headersFromEnv: texts(client['headers_from_env']),
    train: type === 'train' ? readTrain(client) : null,
  };
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function readTrain({ renderer, renderer_model_name: model }: JsonRecord): TrainSpec {
  return {
    renderer: readRenderer(renderer),
    rendererModel: typeof model === 'string' && model !== '' ? model : null,
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
