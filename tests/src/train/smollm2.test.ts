import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '@vf/core';
import { LocalModelUnavailable, localTokenizer } from '@vf/local-model';
import { loadTokenizer, rendererFor } from '@vf/renderers';
import { beforeAll, describe, expect, test } from 'vitest';

const folder = await localTokenizer().catch((error: unknown) => {
  if (LocalModelUnavailable.isInstance(error) && error.reason === 'no-python') return null;
  throw error;
});
const shared = join(import.meta.dirname, '../../../packages/renderers/test');

/** A prompt of the renderers' corpus, and the SHA-256 of its ids by Python. */
interface Prompt {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly generation: boolean;
  readonly sha256: string;
}

async function prompts(): Promise<readonly Prompt[]> {
  const corpus = JSON.parse(await readFile(join(shared, 'corpus.json'), 'utf8')) as Prompt[];
  const lines = (await readFile(join(shared, 'vectors/smollm2.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => {
    const vector = JSON.parse(line) as Pick<Prompt, 'name' | 'sha256'>;
    const entry = corpus.find(({ name }) => name === vector.name);
    if (entry === undefined) throw new Error(`the corpus has no ${vector.name}`);
    return { ...entry, ...vector };
  });
}

describe.runIf(folder !== null)('SmolLM2 by its own tokenizer', () => {
  let renderer: ReturnType<typeof rendererFor>;
  beforeAll(async () => {
    const tokenizer = await loadTokenizer(folder ?? '');
    renderer = rendererFor('HuggingFaceTB/SmolLM2-135M-Instruct', tokenizer);
  });

  test('prompts have the ids of Python [train/own-tokenizer]', async () => {
    const all = await prompts();
    expect(all.length).toBeGreaterThan(20);
    for (const { name, messages, generation, sha256 } of all) {
      const { tokenIds } = renderer.render({ messages, generationPrompt: generation });
      expect([name, hashOf(tokenIds)]).toEqual([name, sha256]);
    }
  });

  test('random texts of all Unicode have the ids of Python [train/own-tokenizer]', async () => {
    const { encode } = await loadTokenizer(folder ?? '');
    const file = await readFile(join(shared, 'vectors/texts.jsonl'), 'utf8');
    const lines = file.trim().split('\n');
    expect(lines.length).toBeGreaterThan(300);
    for (const line of lines) {
      const { text, ids } = JSON.parse(line) as { text: string; ids: { smollm2: number[] } };
      expect([text, Array.from(encode(text))]).toEqual([text, ids.smollm2]);
    }
  });

  test('replies come back, and bridges say what a full render does [train/own-tokenizer]', async () => {
    let checked = 0;
    for (const { messages } of await prompts()) {
      for (const [at, reply] of messages.entries()) {
        if (reply.role !== 'assistant') continue;
        const promptIds = renderer.render({ messages: messages.slice(0, at) }).tokenIds;
        const said = messages.slice(0, at + 1);
        const { tokenIds, sampledMask } = renderer.render({
          messages: said,
          generationPrompt: false,
        });
        // The first token of a text that begins with line ends holds the header's, too.
        if (promptIds.some((id, place) => tokenIds[place] !== id)) continue;
        checked++;
        const end = sampledMask.lastIndexOf(1) + 1;
        const completionIds = tokenIds.slice(promptIds.length, end);
        expect(renderer.parse(completionIds, [], promptIds).content).toBe(reply.content);
        const asked: Message[] = [...said, { role: 'user', content: 'And then?' }];
        const previous = { promptIds, completionIds };
        const bridged = renderer.bridge({ previous, messages: asked, from: at + 1 });
        expect(bridged?.tokenIds).toEqual(renderer.render({ messages: asked }).tokenIds);
      }
    }
    expect(checked).toBeGreaterThan(15);
  });
});

function hashOf(ids: Int32Array): string {
  return createHash('sha256')
    .update(new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength))
    .digest('hex');
}
