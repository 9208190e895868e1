import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.ts';
import { readGguf } from './gguf.ts';
import type { GgufMetadata } from './gguf.ts';
import { tokenizerJson } from './local-tokenizer.ts';
import { MODEL } from './model.ts';
import { startGroup } from './process-group.ts';
import { pythonFile } from './python-file.ts';
import { LocalModelUnavailable } from './unavailable.ts';
import { weightsFile } from './weights-file.ts';

/**
 * The model as a Hugging Face folder (bfloat16 safetensors, config, tokenizer), made once with the Python of an engine
 * that has torch. Returns the folder.
 *
 * @throws LocalModelUnavailable `install-failed`
 */
export async function checkpointFolder(python: string, signal: AbortSignal): Promise<string> {
  const folder = join(cacheDir(), `${MODEL}-bf16`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}-${process.pid}`;
  try {
    await mkdir(draft, { recursive: true });
    await writeTokenizer(draft, await readGguf(weightsFile(python)));
    await writeWeights(python, draft, signal);
    await rename(draft, folder).catch((error: unknown) => {
      // Another process was faster; its folder is the same.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

async function writeTokenizer(folder: string, metadata: GgufMetadata): Promise<void> {
  const tokens = metadata.get('tokenizer.ggml.tokens') as readonly string[];
  const token = (name: string): string | undefined =>
    tokens[metadata.get(`tokenizer.ggml.${name}_token_id`) as number];
  const settings = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    bos_token: token('bos'),
    eos_token: token('eos'),
    pad_token: token('eos'),
    model_max_length: metadata.get('llama.context_length'),
    clean_up_tokenization_spaces: false,
    chat_template: metadata.get('tokenizer.chat_template'),
  };
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizerJson(metadata)));
  await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify(settings));
}

async function writeWeights(python: string, folder: string, signal: AbortSignal): Promise<void> {
  const script = await startGroup([python, pythonFile('checkpoint.py'), folder], signal);
  const code = await script.exited;
  signal.throwIfAborted();
  if (code === 0) return;
  throw new LocalModelUnavailable(
    'install-failed',
    `the weights could not be written to ${folder}:\n${script.tail()}`,
    'check that the disk has 1 GB free',
  );
}
