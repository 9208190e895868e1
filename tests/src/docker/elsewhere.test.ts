import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import fileEdit from '@vf/example-file-edit';
import { startScriptedModel } from '@vf/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { editScript } from '../agents/scripts.ts';
import { play } from '../run/play.ts';
import { containersLeft, engineSocket, noEngine } from './engine.ts';

/** A port of the loopback that leads to the engine: to vf an engine that does not see its files. */
async function elsewhere(): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(engineSocket);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket.on('error', () => other.destroy()));
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(noEngine)('an engine elsewhere', { timeout: 300_000 }, () => {
  test('plays a real agent, brought there once', async () => {
    await using model = await startScriptedModel({ script: editScript });
    const config = {
      'harness.id': 'codex',
      'runtime.id': 'docker',
      'runtime.host': await elsewhere(),
      'runtime.image': 'debian:bookworm',
      'runtime.pull': 'never',
    };
    const { result, episodes } = await play({ taskset: fileEdit, model, config });
    expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
    expect(episodes.map(({ traces }) => traces[0]?.reward)).toEqual([1, 1, 1]);
    expect(await containersLeft()).toEqual([]);
  });
});
