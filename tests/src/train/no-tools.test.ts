import { jinjaRenderer, rendererFor } from '@vf/renderers';
import type { Renderer } from '@vf/renderers';
import { byteTokenizer } from '@vf/testkit';
import { makeEngine, trainClient } from '@vf/train';
import { expect, test } from 'vitest';

const family = (name: string): Renderer => rendererFor('m', byteTokenizer, { renderer: name });
const raising = jinjaRenderer(
  {
    template:
      '{% if tools %}{{ raise_exception("no tools here") }}{% endif %}{{ messages[0].content }}',
    eosToken: '<|im_end|>',
  },
  byteTokenizer,
);

test.each([
  ['a family with tools', family('qwen3'), null],
  ['one without', family('chatml'), 'The template of chatml declares no tools.'],
  ['a template that raises on them', raising, expect.stringContaining('no tools here')],
])(
  'a client says whether tools would be refused: %s [train/renderer-refused]',
  async (_what, renderer, why) => {
    const engine = makeEngine('llama.cpp', { baseUrl: 'http://127.0.0.1:9' });
    const client = trainClient({ engine, renderer, vocabulary: 300, model: 'm' });
    expect(client.noTools ?? null).toEqual(why);
    await client.close();
  },
);
