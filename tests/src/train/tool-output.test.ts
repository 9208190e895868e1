import { defineTaskset, z } from '@vf/core';
import type { EpisodeRecord } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { trlRows } from '@vf/export-trl';
import { byteIds } from '@vf/testkit';
import { expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { engineServer } from './engine-server.ts';

const said = 'the sum is 7';

const taskset = defineTaskset({
  data: z.object({}),
  load: () => [{ key: 'sum', prompt: 'What is 3 + 4?' }],
  tools: {
    add: {
      description: 'Adds two numbers',
      input: z.object({ a: z.number(), b: z.number() }),
      run: () => said,
    },
  },
  rewards: { right: ({ trace }) => Number(trace.lastReply === '7') },
});

const call = '<tool_call>\n{"name": "add", "arguments": {"a": 3, "b": 4}}\n</tool_call><|im_end|>';
const answer = '7<|im_end|>';

test('what a tool says is in the sample and carries no loss [train/tool-output]', async () => {
  await using engine = await engineServer((prompt) => (prompt.includes(said) ? answer : call));
  const { episodes, result } = await play({
    taskset,
    model: engine,
    config: engine.config,
  });
  expect(result.exitCode).toBe(0);
  const records = (async function* (): AsyncGenerator<EpisodeRecord> {
    for (const episode of episodes) yield encodeEpisode(episode);
  })();
  const rows = await Array.fromAsync(trlRows({ episodes: records, omit: () => undefined }));
  expect(rows).toMatchObject([{ reward: 1, branches: 1 }]);
  const { completion_ids: ids = [], env_mask: mask = [], logprobs = [] } = rows[0] ?? {};
  const start = ids.join().split(byteIds(said).join())[0]?.split(',').length ?? 0;
  const tool = mask.slice(start - 1, start - 1 + said.length);
  expect(tool).toEqual(byteIds(said).map(() => 0));
  // What trains are the two replies as they were sampled, and nothing else.
  const trained = ids.filter((_, at) => mask[at] === 1);
  expect(trained).toEqual([...byteIds(call), ...byteIds(answer)]);
  expect(logprobs.map((value) => Number(value !== 0))).toEqual(mask);
});
