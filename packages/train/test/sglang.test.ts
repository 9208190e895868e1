import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '@vf/core';
import { listOf, numberOf, objectOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OnIds, SampleRequest } from '../src/engine/engine.ts';
import { makeEngine } from '../src/engine/make-engine.ts';
import { answering, recorded } from './recorded.ts';

const { signal } = new AbortController();

function requestOf(promptLength: number, settings: Partial<Settings> = {}): SampleRequest {
  return {
    model: 'policy',
    promptIds: Int32Array.from({ length: promptLength }, (_, at) => at + 1),
    recordedLength: 0,
    settings: { model: 'policy', stream: false, ...settings },
    stopIds: [2, 7],
    room: 60,
    session: 'rollout-1',
  };
}

async function sample(url: string, request: SampleRequest, onIds?: OnIds) {
  const engine = makeEngine('sglang', { baseUrl: url });
  onTestFinished(() => engine.close());
  const { ids, logprobs, ...rest } = await engine.sample(request, signal, onIds);
  return { ids: Array.from(ids), logprobs: Array.from(logprobs), ...rest };
}

const whole = recorded('sglang', 'generate after update').response;

async function asked(settings: Partial<Settings>, changes: Partial<SampleRequest> = {}) {
  await using server = await answering(whole);
  await sample(server.url, { ...requestOf(38, settings), ...changes });
  return server.received[0];
}

test('SGLang hears ids, stop ids, session, salt and priority where it reads them [train/engine-request]', async () => {
  const extra = { cache_salt: 'policy-3', priority: 2 };
  const call = await asked({ extra, temperature: 0.7, seed: 5, stop: ['END'] });
  expect(call).toMatchObject({ path: '/generate' });
  expect(call?.body).toEqual({
    input_ids: Array.from({ length: 38 }, (_, at) => at + 1),
    sampling_params: {
      max_new_tokens: 60,
      temperature: 0.7,
      top_p: 1,
      top_k: -1,
      min_p: 0,
      presence_penalty: 0,
      frequency_penalty: 0,
      repetition_penalty: 1,
      sampling_seed: 5,
      stop: ['END'],
      stop_token_ids: [2, 7],
      skip_special_tokens: false,
    },
    return_logprob: true,
    logprob_start_len: -1,
    session_id: 'rollout-1',
    cache_salt: 'policy-3',
    priority: 2,
  });
});

test('what nobody has said SGLang is not told, but how many ids it may sample [train/engine-request]', async () => {
  const call = await asked({ extra: { cache_salt: '' } }, { room: null });
  expect(Object.keys(call?.body ?? {})).toEqual([
    'input_ids',
    'sampling_params',
    'return_logprob',
    'logprob_start_len',
    'session_id',
  ]);
  const params = objectOf(call?.body?.['sampling_params']);
  // It samples 128 when it is told nothing.
  expect(numberOf(params['max_new_tokens'])).toBeGreaterThan(128_000);
  expect(Object.keys(params)).not.toContain('sampling_seed');
});

describe('a stream of SGLang', () => {
  test('that was recorded is the sample that its last event tells [train/engine-samples]', async () => {
    await using server = await answering(recorded('sglang', 'generate stream').response);
    const heard: number[] = [];
    const onIds: OnIds = (ids) => heard.push(...Array.from(ids));
    const { ids, logprobs, finish } = await sample(server.url, requestOf(38), onIds);
    expect({ ids, heard, finish }).toEqual({
      ids: [35, 1232, 216],
      heard: [35, 1232, 216],
      finish: 'length',
    });
    expect(logprobs).toEqual([-2.090082883834839, -0.05691907927393913, -0.0007082099909894168]);
    expect(server.received[0]?.body).toMatchObject({
      stream: true,
      sampling_params: { stream_interval: 8 },
    });
  });

  const answer = objectOf(whole.body);
  const ids = listOf(answer['output_ids']);

  /** The recorded answer as events that end behind so many ids; `isIncremental`: each tells only what is new. */
  function eventsOf(ends: readonly number[], isIncremental: boolean): JsonObject[] {
    const meta = objectOf(answer['meta_info']);
    return ends.map((end, at) => {
      const start = isIncremental ? (ends[at - 1] ?? 0) : 0;
      const isLast = end === ids.length;
      return {
        output_ids: ids.slice(start, end),
        meta_info: {
          ...meta,
          finish_reason: isLast ? meta['finish_reason'] : null,
          weight_versions: isLast ? meta['weight_versions'] : undefined,
          output_token_logprobs: listOf(meta['output_token_logprobs']).slice(start, end),
          completion_tokens: end,
        },
      };
    });
  }

  test.each([
    ['cumulative', [1, 3, 4, 8]],
    ['incremental', [1, 3, 4, 8]],
    // The first two events tell as much each.
    ['incremental', [1, 2, 3, 8]],
    ['cumulative', [1, 1, 8, 8]],
    ['incremental', [1, 1, 8, 8]],
    // A first event that tells nothing.
    ['cumulative', [0, 2, 4, 8]],
    ['incremental', [0, 2, 4, 8]],
  ] as const)(
    'is the answer in one piece, %s up to %j, one event at a time or all at once [train/engine-samples]',
    async (form, ends) => {
      await using plain = await answering(whole);
      const expected = await sample(plain.url, requestOf(38));
      const events = eventsOf(ends, form === 'incremental');
      const atOnce = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      await using server = await answering({ status: 200, body: `${atOnce}data: [DONE]\n\n` });
      const heard: number[] = [];
      const hear: OnIds = (told) => heard.push(...Array.from(told));
      expect(await sample(server.url, requestOf(38), hear)).toEqual(expected);
      expect(heard).toEqual(expected.ids);

      const stepped = await steppedServer(events);
      const pieces: number[][] = [];
      const step: OnIds = (told) => {
        pieces.push(Array.from(told));
        stepped.next(pieces.flat().length);
      };
      expect(await sample(stepped.url, requestOf(38), step)).toEqual(expected);
      expect(pieces.flat()).toEqual(expected.ids);
      expect(pieces.length).toBe(new Set(ends.filter((end) => end > 0)).size);
    },
  );

  test('that tells a token again is no sample [train/no-sample]', async () => {
    const [first, second, third] = eventsOf([1, 3, 8], true);
    const doubled = { ...second, output_ids: [1232, 216, 216] };
    const events = [first, doubled, third].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    await using server = await answering({ status: 200, body: events.join('') });
    await expect(sample(server.url, requestOf(38), () => undefined)).rejects.toMatchObject({
      error: { code: 'no_sample' },
    });
  });
});

/** A server of one stream: what follows an event that told something new is sent when that has been heard. */
async function steppedServer(events: readonly JsonObject[]) {
  let stream: ServerResponse | null = null;
  let sent = 0;
  const next = (heard: number): void => {
    for (let isNew = false; !isNew && sent < events.length; sent++) {
      const event = events[sent];
      stream?.write(`data: ${JSON.stringify(event)}\n\n`);
      isNew = numberOf(objectOf(event?.['meta_info'])['completion_tokens']) !== heard;
    }
    if (sent === events.length) stream?.end('data: [DONE]\n\n');
  };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      next(0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, next };
}
