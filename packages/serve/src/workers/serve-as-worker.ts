import { Socket } from 'node:net';
import type { Log } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import type { RunEvents, RunHost } from '../host/run-host.ts';
import { Channel } from './channel.ts';
import { packFailure } from './failure.ts';

/** Where the pipe to the server stands, behind those of every program. */
export const pipeIndex = 3;

/**
 * Plays what the server that started this process asks for, until it says that it is enough or is gone. The host is
 * closed then.
 */
export async function serveAsWorker(host: RunHost, log: Log): Promise<void> {
  const underway = new Map<number, AbortController>();

  const play = async (run: number, payload: Uint8Array): Promise<void> => {
    const stop = new AbortController();
    underway.set(run, stop);
    try {
      channel.tell('reply', run, await host.run(payload, eventsOf(run, channel), stop.signal));
    } catch (error) {
      const failure = toVfError(error, 'internal/unexpected', 'run');
      channel.tell('failed', run, packFailure(failure));
    } finally {
      underway.delete(run);
    }
  };

  const { promise: over, resolve } = Promise.withResolvers<void>();
  let isToldToEnd = false;
  const pipe = new Socket({ fd: pipeIndex });
  const channel = new Channel(
    pipe,
    ({ word, run, body }) => {
      if (word === 'run') void play(run, body);
      else if (word === 'cancel') underway.get(run)?.abort(cancelled('the rollout was cancelled'));
      else {
        isToldToEnd = true;
        resolve();
      }
    },
    () => {
      if (!isToldToEnd) {
        const { boxes } = host;
        log.warn('the server is gone: freeing the boxes of its runs', {
          runs: underway.size,
          boxes,
        });
        const left = host.cleanup();
        if (left !== 0) log.error('boxes are left: vf cleanup removes them', { left });
        for (const stop of underway.values()) stop.abort(cancelled('the server is gone'));
      }
      resolve();
    },
  );
  channel.tell('ready');
  await over;
  await host.close();
  channel.close();
}

function eventsOf(run: number, channel: Channel): RunEvents {
  let isSampled = false;
  return {
    delta: (body) => channel.tell('delta', run, body),
    sampled() {
      if (!isSampled) channel.tell('sampled', run);
      isSampled = true;
    },
    noted: (note) => channel.tell('noted', run, Buffer.from(note)),
  };
}

function cancelled(message: string): VfError {
  return new VfError('cancelled', message);
}
