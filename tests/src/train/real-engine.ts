import { localTokenizer, startLocalModel } from '@vf/local-model';
import type { LocalEngine } from '@vf/local-model';

/** A real server of the small model, and what it says of itself. */
export interface RealEngine extends AsyncDisposable {
  readonly id: LocalEngine;
  readonly url: string;
  readonly model: string;
  /** Folder with the model's `tokenizer.json`. */
  readonly tokenizer: string;
  /** Hugging Face folder of its weights, where it can be given others. */
  readonly checkpoint: string | null;
  /** Config of a run that trains through it. */
  readonly config: Readonly<Record<string, unknown>>;
  /** JSON that it answers a JSON body with. */
  ask(path: string, body: object): Promise<Record<string, unknown>>;
  /** The logprobs that the engine itself gives ids from `start` on, at temperature 1. */
  score(ids: readonly number[], start: number): Promise<number[]>;
  /** Ids that it has sampled since it was started, and calls that it works at. */
  load(): Promise<{ readonly sampled: number; readonly running: number }>;
}

/** Starts the server, or takes the one at `VF_ENGINE_URL`, which runs already and goes on. */
export async function realEngine(id: LocalEngine): Promise<RealEngine> {
  const running = process.env['VF_ENGINE_URL'];
  const started = running === undefined ? await startLocalModel({ engine: id, ctx: 2048 }) : null;
  const url = started?.url ?? running ?? '';
  const model = started?.model ?? 'smollm2-135m-instruct';
  const tokenizer = await localTokenizer();
  const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await reply.json()) as Record<string, unknown>;
  };
  return {
    id,
    url,
    model,
    tokenizer,
    checkpoint: started?.checkpoint ?? process.env['VF_ENGINE_CHECKPOINT'] ?? null,
    config: {
      'client.type': 'train',
      'client.engine': id,
      'client.renderer': 'smollm2',
      'client.tokenizer': tokenizer,
      ...(id === 'vllm' ? { 'client.logprobs': 'processed' } : {}),
    },
    ask,
    score: (ids, start) => scorers[id](ask, model, ids, start),
    load: async () => loadOf(id, await (await fetch(`${url}/metrics`)).text()),
    [Symbol.asyncDispose]: async () => started?.stop(),
  };
}

type Scorer = (
  ask: RealEngine['ask'],
  model: string,
  ids: readonly number[],
  start: number,
) => Promise<number[]>;

const scorers: Readonly<Record<LocalEngine, Scorer>> = {
  async vllm(ask, model, ids, start) {
    const answer = await ask('/inference/v1/generate', {
      model,
      token_ids: ids,
      sampling_params: { max_tokens: 1, temperature: 1, prompt_logprobs: 1 },
    });
    const told = answer['prompt_logprobs'] as (Record<number, { logprob: number }> | null)[];
    return ids.slice(start).map((id, at) => told[start + at]?.[id]?.logprob ?? Number.NaN);
  },
  async sglang(ask, _model, ids, start) {
    const answer = await ask('/generate', {
      input_ids: ids,
      sampling_params: { max_new_tokens: 1, temperature: 1 },
      return_logprob: true,
      logprob_start_len: 0,
    });
    const meta = answer['meta_info'] as { input_token_logprobs: [number, number, null][] };
    return meta.input_token_logprobs.slice(start).map(([logprob]) => logprob);
  },
  /** It scores no prompts: each id is forced once, and logprobs are from before the bias. */
  async 'llama.cpp'(ask, _model, ids, start) {
    const logprobs: number[] = [];
    for (const [at, id] of ids.slice(start).entries()) {
      const answer = await ask('/completion', {
        prompt: ids.slice(0, start + at),
        n_predict: 1,
        n_probs: 1,
        temperature: 1,
        top_k: 0,
        top_p: 1,
        min_p: 0,
        logit_bias: [[id, 1000]],
      });
      const [first] = answer['completion_probabilities'] as { id: number; logprob: number }[];
      logprobs.push(first?.id === id ? first.logprob : Number.NaN);
    }
    return logprobs;
  },
};

const gauges: Readonly<Record<LocalEngine, readonly [sampled: string, running: string]>> = {
  vllm: ['vllm:generation_tokens_total', 'vllm:num_requests_running'],
  sglang: ['sglang:generation_tokens_total', 'sglang:num_running_reqs'],
  'llama.cpp': ['llamacpp:tokens_predicted_total', 'llamacpp:requests_processing'],
};

function loadOf(id: LocalEngine, metrics: string) {
  const value = (name: string): number => {
    const line = metrics
      .split('\n')
      .find((each) => each.startsWith(`${name}{`) || each.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const [sampled, running] = gauges[id];
  return { sampled: value(sampled), running: value(running) };
}
