import type { Family } from '../src/family.ts';
import { chatMl, smolLm2 } from '../src/families/chat-ml.ts';
import { deepseekV31 } from '../src/families/deepseek/deepseek-v3-1.ts';
import { deepseekR1, deepseekV3, deepseekV30324 } from '../src/families/deepseek/deepseek-v3.ts';
import { glm45, glm5 } from '../src/families/glm.ts';
import { gptOss } from '../src/families/gpt-oss/gpt-oss.ts';
import { kimiK2 } from '../src/families/kimi-k2.ts';
import { llama3 } from '../src/families/llama-3.ts';
import { minimaxM2, minimaxM25 } from '../src/families/minimax-m2.ts';
import { nemotron3, nemotron3Ultra } from '../src/families/nemotron-3.ts';
import { qwen3, qwen3Vl } from '../src/families/qwen3.ts';
import { qwen35, qwen36 } from '../src/families/qwen3-5.ts';
import { makeRenderer } from '../src/make-renderer.ts';
import type { Renderer, RendererOptions } from '../src/renderer.ts';
import { deepseekTokenizer, officialTokenizer, standInTokenizer } from './tokenizers.ts';
import type { TestTokenizer } from './tokenizers.ts';
import { corpus } from './corpus.ts';
import type { Case } from './corpus.ts';

/** A family under test, and the tokenizer it is tested with. */
export interface Subject {
  readonly family: Family;
  readonly vectors: string;
  readonly tokenizer: () => TestTokenizer;
  /** Cases that ours refuses rather than lose a message as the template does. */
  readonly refuses: readonly string[];
  readonly options?: RendererOptions;
  /** Its vectors have ids of the model's own tokenizer, and the one here is a stand-in. */
  readonly hasOthersIds?: boolean;
}

function borrowed(family: Family, refuses: readonly string[] = [], vectors = family.id): Subject {
  return { family, vectors, tokenizer: standIn, refuses };
}

/** A family with its own tokenizer. */
function own(family: Family, name: Parameters<typeof officialTokenizer>[0]): Subject {
  return { family, vectors: family.id, tokenizer: () => officialTokenizer(name), refuses: [] };
}

/** Those that have tools or calls, which plain ChatML has no words for. */
const withTools = corpus
  .filter(
    ({ tools, messages }) => tools !== undefined || messages.some((one) => 'toolCalls' in one),
  )
  .map(({ name }) => name);

/** The control tokens of the families that have no tokenizer in a package, in one vocabulary. */
function standIn(): TestTokenizer {
  const families = [qwen35, qwen36, qwen3Vl, glm45, glm5, minimaxM2, nemotron3, kimiK2];
  const names = families.flatMap(({ controls }) => controls);
  return standInTokenizer([...new Set([...names, '<|endoftext|>'])]);
}

export const subjects: readonly Subject[] = [
  { ...borrowed(smolLm2, withTools), hasOthersIds: true },
  borrowed(chatMl, withTools),
  own(qwen3, 'qwen3'),
  borrowed(qwen35, ['system in the middle']),
  borrowed(qwen36, ['system in the middle']),
  borrowed(qwen3Vl, ['system in the middle']),
  borrowed(glm45),
  borrowed(glm45, [], 'glm-4.6'),
  borrowed(glm5, [], 'glm-4.7'),
  borrowed(glm5),
  borrowed(minimaxM2, ['system in the middle']),
  borrowed(minimaxM25, ['system in the middle']),
  borrowed(nemotron3),
  borrowed(nemotron3, [], 'nemotron-3-super'),
  borrowed(nemotron3Ultra),
  borrowed(kimiK2),
  own(deepseekV3, 'deepseek_v3'),
  own(deepseekV30324, 'deepseek_v3'),
  { family: deepseekR1, vectors: 'deepseek-r1', tokenizer: deepseekTokenizer, refuses: [] },
  { family: deepseekV31, vectors: 'deepseek-v3.1', tokenizer: deepseekTokenizer, refuses: [] },
  {
    family: llama3,
    vectors: 'llama-3',
    tokenizer: () => officialTokenizer('llama3_1'),
    refuses: ['parallel calls', 'parallel calls with reasoning'],
  },
  {
    family: gptOss,
    vectors: 'gpt-oss',
    tokenizer: () => officialTokenizer('gptoss'),
    refuses: ['system in the middle', 'parallel calls', 'parallel calls with reasoning'],
    options: { date: new Date(2025, 0, 31) },
  },
];

export function rendererOf(subject: Subject, entry?: Case): Renderer {
  return makeRenderer(subject.family, subject.tokenizer().ours, {
    ...subject.options,
    ...(entry?.thinking === undefined ? {} : { thinking: entry.thinking }),
    ...(entry?.keepThinking === undefined ? {} : { keepThinking: entry.keepThinking }),
  });
}
