import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { readPlan } from '@vf/store';
import { startScriptedModel } from '@vf/testkit';
import Docker from 'dockerode';
import { describe, expect, onTestFinished, test } from 'vitest';
import { editScript } from '../agents/scripts.ts';
import { vfPlace } from '../cli/vf.ts';
import { engineSocket, noEngine } from './engine.ts';

const tests = resolve(import.meta.dirname, '../..');
const fileEdit = resolve(tests, '../examples/file-edit/file-edit.ts');
const docker = new Docker();

/** Puts the name on busybox, or on a busybox with one more file in it. */
async function retag(repo: string, isChanged: boolean): Promise<void> {
  if (!isChanged) return docker.getImage('busybox:latest').tag({ repo, tag: '1' });
  const container = await docker.createContainer({ Image: 'busybox:latest' });
  await container.commit({ repo, tag: '1', changes: 'ENV CHANGED=1' });
  await container.remove();
}

describe.skipIf(noEngine)('a run whose image is another one by now', { timeout: 120_000 }, () => {
  test('is not resumed, says which, and goes on with the old one', async () => {
    const repo = `vf-test-${crypto.randomUUID()}`;
    onTestFinished(() => docker.getImage(`${repo}:1`).remove());
    await retag(repo, false);
    await using model = await startScriptedModel({ script: editScript });
    const place = await vfPlace({ VF_PROJECT: tests, DOCKER_HOST: `unix://${engineSocket}` });
    const provider = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
    const box = ['--runtime', 'docker', '--runtime.image', `${repo}:1`, '--runtime.pull', 'never'];
    const half = ['--harness', 'bash', '-n', '1', '--run', 'half'];
    await place.run('eval', fileEdit, ...provider, ...box, ...half);
    const plan = await readPlan(join(place.dir, 'outputs/half'));
    const { Id } = await docker.getImage('busybox:latest').inspect();
    expect(plan).toMatchObject({ images: { [`${repo}:1`]: Id } });

    await retag(repo, true);
    const asked = model.turns.length;
    const refused = place.start(['resume', 'half', '-n', '3']);
    let told = '';
    refused.stderr?.on('data', (bytes: Buffer) => (told += bytes.toString()));
    expect(await once(refused, 'close')).toEqual([2, null]);
    expect(told).toMatch(new RegExp(`images\\.${repo}:1 +${Id} → sha256:[^]*store/other_config`));
    expect(told).toContain('put the tasks back as they were');
    expect(model.turns).toHaveLength(asked);

    await retag(repo, false);
    const events = await place.run('resume', 'half', '-n', '3');
    expect(events.filter(({ type }) => type === 'rollout.finished')).toHaveLength(2);
  });
});
