import type { Family } from './family.ts';
import { chatMl, smolLm2 } from './families/chat-ml.ts';
import { deepseekV31 } from './families/deepseek/deepseek-v3-1.ts';
import { deepseekR1, deepseekV3, deepseekV30324 } from './families/deepseek/deepseek-v3.ts';
import { glm45, glm5 } from './families/glm.ts';
import { gptOss } from './families/gpt-oss/gpt-oss.ts';
import { kimiK2 } from './families/kimi-k2.ts';
import { llama3 } from './families/llama-3.ts';
import { minimaxM2, minimaxM25 } from './families/minimax-m2.ts';
import { nemotron3, nemotron3Ultra } from './families/nemotron-3.ts';
import { qwen35, qwen36 } from './families/qwen3-5.ts';
import { qwen3, qwen3Vl } from './families/qwen3.ts';

/** A family and the models that are known to speak it. */
export interface KnownFamily {
  readonly family: Family;
  /** Names on the Hugging Face hub. A fine-tune is not in it: it must name its family. */
  readonly models: readonly string[];
  /** Models whose template does not ask for reasoning unless told to. */
  readonly quiet?: readonly string[];
}

const sizes = (prefix: string, names: string): string[] =>
  names.split(' ').map((name) => prefix + name);

/** Every family, in the order in which messages list them. */
export const knownFamilies: readonly KnownFamily[] = [
  {
    family: smolLm2,
    models: sizes('HuggingFaceTB/SmolLM2-', '135M-Instruct 360M-Instruct 1.7B-Instruct'),
  },
  { family: chatMl, models: [] },
  {
    family: qwen3,
    models: sizes(
      'Qwen/Qwen3-',
      '0.6B 1.7B 4B 8B 14B 32B 30B-A3B 235B-A22B 0.6B-FP8 1.7B-FP8 4B-FP8 8B-FP8',
    ),
  },
  {
    family: qwen35,
    models: sizes('Qwen/Qwen3.5-', '0.8B 2B 4B 9B 35B-A3B 122B-A10B 397B-A17B'),
    quiet: sizes('Qwen/Qwen3.5-', '0.8B 2B'),
  },
  { family: qwen36, models: ['Qwen/Qwen3.6-35B-A3B'] },
  { family: qwen3Vl, models: sizes('Qwen/Qwen3-VL-', '4B-Instruct 8B-Instruct 30B-A3B-Instruct') },
  {
    family: llama3,
    models: [
      ...sizes('meta-llama/Llama-3.1-', '8B-Instruct 70B-Instruct 405B-Instruct'),
      ...sizes('meta-llama/Llama-3.2-', '1B-Instruct 3B-Instruct'),
      'meta-llama/Llama-3.3-70B-Instruct',
    ],
  },
  { family: gptOss, models: sizes('openai/gpt-oss-', '20b 120b') },
  { family: glm45, models: sizes('zai-org/GLM-', '4.5 4.5-Air 4.6') },
  { family: glm5, models: sizes('zai-org/GLM-', '4.7 4.7-Flash 5 5-FP8') },
  { family: deepseekV3, models: ['deepseek-ai/DeepSeek-V3'] },
  { family: deepseekV30324, models: ['deepseek-ai/DeepSeek-V3-0324'] },
  { family: deepseekR1, models: ['deepseek-ai/DeepSeek-R1'] },
  { family: deepseekV31, models: ['deepseek-ai/DeepSeek-V3.1'] },
  { family: kimiK2, models: ['moonshotai/Kimi-K2-Instruct'] },
  { family: minimaxM2, models: ['MiniMaxAI/MiniMax-M2'] },
  { family: minimaxM25, models: ['MiniMaxAI/MiniMax-M2.5'] },
  {
    family: nemotron3,
    models: sizes('nvidia/NVIDIA-Nemotron-3-', 'Nano-30B-A3B-BF16 Super-120B-A12B-BF16'),
  },
  {
    family: nemotron3Ultra,
    models: sizes('nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-', 'BF16 FP8'),
  },
];
