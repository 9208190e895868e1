import { dirname, join } from 'node:path';
import type { EngineSpec } from './engine-spec.ts';
import { offline, supervised } from './supervised.ts';
import { GGUF, WEIGHTS } from './weights.ts';

/** Requirements that only a GPU, images, sound or another model needs, by how their names begin. */
const unneeded = [
  'apache-tvm',
  'av==',
  'blobfile',
  'build$',
  'cuda-',
  'datasets',
  'decord',
  'deepseek',
  'flash',
  'humming',
  'kernels',
  'mistral',
  'modelscope',
  'nvidia-',
  'nvshmem',
  'outlines',
  'py-spy',
  'quack',
  'sgl-',
  'sglang-kernel',
  'smg-',
  'tilelang',
  'timm',
  'tml-',
  'torchaudio',
  'torchcodec',
];

/**
 * SGLang's server in its CPU mode, without what only GPUs need. Its kernels are linked to the driver of NVIDIA's GPUs and
 * load with a stand-in for it. `POST /update_weights_from_disk` is there as in every SGLang.
 */
export const sglang: EngineSpec = {
  id: 'sglang',
  folder: 'sglang-0.5.23',
  pythons: [12, 12],
  packages: [
    '--needs-of=sglang',
    `--but=(${unneeded.join('|')})`,
    '--and=torch==2.14.1',
    '--and=dill',
    '--and=jsonschema',
    '--then=stand_in_libcuda.py',
    'sglang==0.5.23',
    'sglang-kernel==0.4.10',
    'ziglang==0.17.0',
    GGUF,
    WEIGHTS,
  ],
  disk: 9,
  memory: 5,
  startLimit: 600_000,
  ctx: 2048,
  needsCheckpoint: true,
  command(serving) {
    const { python, checkpoint, model, template, slots, ctx, threads } = serving;
    const standIn = join(dirname(dirname(python)), 'stand-in');
    const environment = {
      ...offline,
      OMP_NUM_THREADS: `${threads}`,
      SGLANG_USE_CPU_ENGINE: '1',
      LD_LIBRARY_PATH: [process.env['LD_LIBRARY_PATH'], standIn].filter(Boolean).join(':'),
    };
    const values = {
      'model-path': checkpoint,
      'served-model-name': model,
      device: 'cpu',
      host: '127.0.0.1',
      port: '{port}',
      'context-length': ctx,
      'max-running-requests': slots,
      'max-total-tokens': ctx * slots,
      'mem-fraction-static': 0.3,
      'attention-backend': 'torch_native',
      'sampling-backend': 'pytorch',
      'chat-template': template,
      'tool-call-parser': 'qwen25',
    };
    return supervised(serving, environment, [
      '-m',
      'sglang.launch_server',
      '--disable-overlap-schedule',
      '--enable-metrics',
      ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ]);
  },
};
