import type { Client } from '@vf/core';
import { rendererFor } from '@vf/renderers';
import { trainClient } from '@vf/train';
import type { Engine, SampleRequest } from '@vf/train';
import { byteIds, byteTokenizer } from '@vf/testkit';

export interface ScriptedEngine extends Engine {
  readonly asked: SampleRequest[];
}

/** An engine that samples the given texts, one a call; the last one again and again. Its logprobs are −0.25 each. */
export function scriptedEngine(...texts: readonly string[]): ScriptedEngine {
  const asked: SampleRequest[] = [];
  return {
    id: 'vllm',
    asked,
    contextLength: async () => 1_000_000,
    async sample(request, _signal, onIds) {
      const ids = byteIds(texts[Math.min(asked.length, texts.length - 1)] ?? '');
      asked.push(request);
      for (const id of ids) onIds?.([id]);
      return {
        ids,
        logprobs: ids.map(() => -0.25),
        finish: 'stop',
        rawFinish: 'stop',
        cached: null,
      };
    },
    close: async () => undefined,
  };
}

/** A client that speaks qwen3 with it, a token for each byte. */
export function clientOf(engine: Engine): Client & { close(): Promise<void> } {
  const renderer = rendererFor('', byteTokenizer, { renderer: 'qwen3' });
  return trainClient({
    engine,
    renderer,
    tokenizer: byteTokenizer,
    vocabulary: byteTokenizer.size,
    model: 'policy',
  });
}
