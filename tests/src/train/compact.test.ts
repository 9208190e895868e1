import { expect, test } from 'vitest';
import { intercept } from '../interception/rig.ts';
import { openai } from '../interception/sdk-clients.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';

test('a compaction at the provider is refused by name, and the rollout goes on [train/compaction]', async () => {
  const engine = scriptedEngine('ok<|im_end|>');
  await using rig = await intercept('http://nowhere.invalid', { client: clientOf(engine) });
  const { responses } = openai(rig);
  const asked = { model: 'policy', input: 'hi' };
  await expect(responses.compact(asked)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('no provider that compacts') as string,
  });
  expect(engine.asked).toHaveLength(0);
  expect(await responses.create(asked)).toMatchObject({ output_text: 'ok' });
  expect(rig.trace.branches).toHaveLength(1);
});
