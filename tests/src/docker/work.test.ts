import fileEdit from '@vf/example-file-edit';
import { readPlan } from '@vf/store';
import { startScriptedModel } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { editScript, limit } from '../agents/scripts.ts';
import { play } from '../run/play.ts';
import { containersLeft, noEngine } from './engine.ts';

describe.skipIf(noEngine).each(['bash', 'codex'])(
  '%s in containers',
  { timeout: limit },
  (agent) => {
    test('edits files in the image that is named, and leaves no container', async () => {
      await using model = await startScriptedModel({ script: editScript });
      const config = {
        'harness.id': agent,
        'runtime.id': 'docker',
        'runtime.image': 'debian:bookworm',
        'runtime.pull': 'never',
      };
      const { result, episodes, dir } = await play({ taskset: fileEdit, model, config });
      expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
      expect(episodes.map(({ traces }) => traces[0]?.reward)).toEqual([1, 1, 1]);
      const digest = expect.stringMatching(/^sha256:\w{64}$/) as string;
      expect(await readPlan(dir)).toMatchObject({ images: { 'debian:bookworm': digest } });
      expect(await containersLeft()).toEqual([]);
    });
  },
);
