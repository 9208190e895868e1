import type { Log } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import type { RunHost } from '../host/run-host.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/**
 * Plays what the server that forked this process asks for, until it says that it is enough or is gone. The host is
 * closed then.
 */
export async function serveAsWorker(host: RunHost, log: Log): Promise<void> {
  const underway = new Map<number, AbortController>();
  const tell = (message: FromWorker): void => {
    if (process.connected) process.send?.(message, undefined, {}, () => undefined);
  };

  const play = async (id: number, payload: Uint8Array): Promise<void> => {
    const stop = new AbortController();
    underway.set(id, stop);
    let isSampled = false;
    const sampled = (): void => {
      if (!isSampled) tell({ type: 'sampled', id });
      isSampled = true;
    };
    try {
      const delta = (body: Uint8Array): void => tell({ type: 'delta', id, body });
      const body = await host.run(payload, { delta, sampled }, stop.signal);
      tell({ type: 'reply', id, body });
    } catch (error) {
      const { code, message } = toVfError(error, 'internal/unexpected', 'run');
      tell({ type: 'failed', id, code, message });
    } finally {
      underway.delete(id);
    }
  };

  const over = new Promise<void>((resolve) => {
    process.on('message', (message) => {
      const told = message as ToWorker;
      if (told.type === 'run') void play(told.id, told.payload);
      else if (told.type === 'cancel')
        underway.get(told.id)?.abort(new VfError('cancelled', 'the rollout was cancelled'));
      else resolve();
    });
    const serverGone = (): void => {
      log.warn('the server is gone: freeing the boxes of its runs', { runs: underway.size });
      host.cleanup();
      for (const stop of underway.values())
        stop.abort(new VfError('cancelled', 'the server is gone'));
      resolve();
    };
    if (process.connected) process.once('disconnect', serverGone);
    else serverGone();
  });
  tell({ type: 'ready' });
  await over;
  await host.close();
  if (process.connected) process.disconnect();
}
