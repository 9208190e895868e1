import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { defineTaskset } from '@vf/core';
import { solveWithShell, startScriptedModel } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { noEngine } from './engine.ts';

/** The first one installs the engines. */
const limit = 180_000;
const script = new URL('../../../tools/other-engine', import.meta.url).pathname;
const mayStart = process.getuid?.() === 0;

/** Starts an engine with busybox in it; gives its DOCKER_HOST and what ends it. */
async function start(kind: string): Promise<{ host: string; end: () => Promise<void> }> {
  const child = spawn(script, [kind, '', 'busybox:latest'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [host] = await Promise.race([once(lines, 'line'), exit]);
  const end = async (): Promise<void> => {
    child.kill();
    await exit;
  };
  return { host: String(host), end };
}

const taskset = defineTaskset({
  load: () => [
    { key: 'edit', prompt: 'In sky.txt, turn red into blue.', network: { mode: 'no-network' } },
  ],
  setup: ({ runtime }) => runtime.write('sky.txt', 'red\n'),
  rewards: {
    blue: async ({ runtime }) =>
      Number(Buffer.from(await runtime.read('sky.txt')).toString() === 'blue\n'),
  },
});
const work = solveWithShell(
  'ls /sys/class/net | grep -q eth || sed s/red/blue/ sky.txt > new && mv new sky.txt',
);

describe.skipIf(noEngine || !mayStart)('other engines', { timeout: limit }, () => {
  test.each(['podman', 'podman-rootless', 'docker-rootless'])(
    'on %s a closed box reaches the model and nothing else, and its task is solved',
    async (kind) => {
      const { host, end } = await start(kind);
      try {
        await using model = await startScriptedModel({ script: work });
        const config = {
          'harness.id': 'bash',
          'runtime.id': 'docker',
          'runtime.host': host,
          'runtime.image': 'busybox:latest',
          'runtime.pull': 'never',
        };
        const { trace } = await play({ taskset, model, config });
        expect(trace('edit')).toMatchObject({ errors: [], reward: 1 });
      } finally {
        await end();
      }
    },
  );
});
