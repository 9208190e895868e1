import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.ts';
import { llamaCpp } from './engines/llama-cpp.ts';
import { readGguf } from './gguf.ts';
import type { GgufMetadata } from './gguf.ts';
import { installedPython } from './installed-python.ts';
import { weightsFile } from './weights-file.ts';

/** Token type of control tokens in a GGUF file. */
const control = 3;

/**
 * The model's tokenizer as Hugging Face's `tokenizer.json`, made once from its weights file. Returns the folder.
 * @throws LocalModelUnavailable when the model cannot be installed here
 */
export async function localTokenizer(
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  const weights = weightsFile(await installedPython(llamaCpp, signal));
  const folder = join(cacheDir(), 'tokenizer');
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `tokenizer-${process.pid}.json`);
  await writeFile(draft, JSON.stringify(tokenizerJson(await readGguf(weights))));
  await rename(draft, join(folder, 'tokenizer.json'));
  return folder;
}

/** SmolLM2 splits digits one by one, then as GPT-2 does (`tokenizer.ggml.pre` is `smollm`). */
export function tokenizerJson(metadata: GgufMetadata): object {
  const tokens = metadata.get('tokenizer.ggml.tokens') as readonly string[];
  const types = metadata.get('tokenizer.ggml.token_type') as readonly number[];
  const merges = metadata.get('tokenizer.ggml.merges') as readonly string[];
  const byteLevel = {
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: true,
  };
  return {
    version: '1.0',
    added_tokens: tokens.flatMap((content, id) =>
      types[id] === control
        ? [
            {
              id,
              content,
              special: true,
              single_word: false,
              lstrip: false,
              rstrip: false,
              normalized: false,
            },
          ]
        : [],
    ),
    normalizer: null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [{ type: 'Digits', individual_digits: true }, byteLevel],
    },
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges,
    },
  };
}
