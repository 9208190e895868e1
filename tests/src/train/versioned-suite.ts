import { reloadWeights } from '@vf/local-model';
import { loadTokenizer } from '@vf/renderers';
import { makeEngine } from '@vf/train';
import type { Sample } from '@vf/train';
import { expect, test } from 'vitest';
import { timeout } from './engine-suite.ts';
import { playOnce } from './play-sums.ts';
import type { RealEngine } from './real-engine.ts';

/** What engines are held to that say which weights sampled, and whose caches have salts. */
export function describeVersions(engine: () => RealEngine): void {
  const prompt =
    'What is 3 + 4? Think of the numbers from one to twenty first, then of those to forty.';

  test('a turn tells the weights that sampled it [train/weights]', { timeout }, async () => {
    const folder = engine().checkpoint ?? '';
    await reloadWeights(server(engine()), { folder, version: 'step-1' });
    const first = await playOnce(engine(), prompt);
    await reloadWeights(server(engine()), { folder, version: 'step-2' });
    const second = await playOnce(engine(), prompt, { 'harness.stream': false });
    expect(versionsOf(first.calls)).toEqual([['step-1']]);
    expect(versionsOf(second.calls)).toEqual([['step-2']]);
    expect(first.calls[0]?.weights?.at(-1)?.end).toBe(first.calls[0]?.usage?.outputTokens);
  });

  test(
    'one that an update in mid-flight is part of tells both [train/weights]',
    { timeout },
    async () => {
      const folder = engine().checkpoint ?? '';
      await reloadWeights(server(engine()), { folder, version: 'old' });
      const sample = await sampleUntil(engine(), () =>
        reloadWeights(server(engine()), { folder, version: 'new', inFlight: 'keep' }),
      );
      expect(sample.weights?.map(({ version }) => version)).toEqual(['old', 'new']);
      const [before, after] = sample.weights ?? [];
      expect([before?.start, before?.end, after?.end]).toEqual([
        0,
        after?.start,
        sample.ids.length,
      ]);
      expect(sample.logprobs).toHaveLength(sample.ids.length);
    },
  );

  test('one salt shares a cache, another does not [train/cache-salt]', { timeout }, async () => {
    const salted = (salt: string) =>
      playOnce(engine(), 'seven '.repeat(400), { 'sampling.cache_salt': salt });
    const salt = `salt-${Date.now()}`;
    const cached: (number | undefined)[] = [];
    for (const each of [salt, salt, `${salt}-other`]) {
      cached.push((await salted(each)).calls[0]?.usage?.cachedInputTokens);
    }
    // What stands before the salted part is no larger than a block.
    expect(cached[0]).toBeLessThan(64);
    expect(cached[1]).toBeGreaterThan(256);
    expect(cached[2]).toBeLessThan(64);
  });
}

function versionsOf(calls: readonly { readonly weights?: readonly { version: string }[] }[]) {
  return calls.map(({ weights }) => weights?.map(({ version }) => version));
}

const server = ({ url, id }: RealEngine) => ({ url, engine: id });

/** Samples 150 ids, with something done after the first few. */
async function sampleUntil(engine: RealEngine, work: () => Promise<void>): Promise<Sample> {
  const client = makeEngine(engine.id, { baseUrl: engine.url, logprobs: 'processed' });
  const tokenizer = await loadTokenizer(engine.tokenizer);
  const working: Promise<void>[] = [];
  const sample = await client.sample(
    {
      model: engine.model,
      promptIds: Int32Array.from(
        tokenizer.encode('one, two, three, four, five, six, seven, eight,'),
      ),
      recordedLength: 0,
      settings: { model: engine.model, stream: true },
      stopIds: [],
      room: 150,
      session: 'updated',
    },
    new AbortController().signal,
    () => {
      if (working.length === 0) working.push(work());
    },
  );
  await Promise.all(working);
  await client.close();
  return sample;
}
