import type { TokenSpace } from '@vf/core';
import type { EngineHttp } from '../engine/engine-http.ts';
import { EngineFailed } from '../engine/engine-failed.ts';
import { maxModelLength } from '../engine/max-model-length.ts';
import { sampleRoutes } from '../engine/routes.ts';

/** As `TokenSpace`, each null where nobody says. */
export interface ChatSpace {
  readonly vocabulary: TokenSpace['vocabulary'] | null;
  readonly context: TokenSpace['context'];
}

/**
 * What a vLLM that renders by itself tells of its ids.
 * @param vocabulary of the run's own tokenizer; null: vLLM is asked
 * @throws SendFailed, EngineFailed
 */
export async function chatSpace(
  http: EngineHttp,
  model: string,
  vocabulary: number | null,
  signal: AbortSignal,
): Promise<ChatSpace> {
  const context = await maxModelLength(http, model, signal);
  return { vocabulary: vocabulary ?? (await toldVocabulary(http, model, signal)), context };
}

/** In no vocabulary. */
const foreign = 2 ** 31 - 1;

/** vLLM names the size of its vocabulary where it refuses a setting for an id that it has not; it samples nothing then. */
async function toldVocabulary(
  http: EngineHttp,
  model: string,
  signal: AbortSignal,
): Promise<number | null> {
  const messages = [{ role: 'user', content: 'Hi' }];
  const body = JSON.stringify({ model, messages, max_tokens: 1, logit_bias: { [foreign]: 1 } });
  try {
    await http.post(sampleRoutes['vllm-chat'], body, signal);
    return null;
  } catch (error) {
    if (!(error instanceof EngineFailed) || error.error.code !== 'invalid') throw error;
    const size = /vocabulary size: (\d+)/i.exec(error.message)?.[1];
    return size === undefined ? null : Number(size);
  }
}
