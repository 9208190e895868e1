import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import { lastLines } from '../compose/project.ts';
import { statusOf } from '../engine/engine-error.ts';
import { keepAlive } from './container-options.ts';

const shownLines = 10;
/** 128 and SIGKILL: by a hand from outside, or for want of memory. */
const killed = 137;

/** Why nothing runs in a new container: what keeps it has ended, or it was removed. null: that is not what went wrong. */
export async function endedMain(
  container: Docker.Container,
  image: string,
): Promise<VfError | null> {
  try {
    const about = await container.inspect();
    if (about.State.Running) return null;
    const log = await lastLines(container, shownLines).catch(() => '');
    return endError(about, image, log);
  } catch (error) {
    if (statusOf(error) !== 404) return null;
    return new VfError('runtime/box_gone', `a new box of image ${image} was removed`);
  }
}

function endError(
  { Config, State: { ExitCode, OOMKilled } }: Docker.ContainerInspectInfo,
  image: string,
  log: string,
): VfError {
  const entrypoint = [Config.Entrypoint ?? []].flat();
  const argv = [...entrypoint, ...(Config.Cmd ?? [])];
  const isOurs = argv.join(' ') === keepAlive.join(' ') || entrypoint.length === 0;
  const what = isOurs
    ? `${JSON.stringify(argv)}, which keeps a box of image ${image},`
    : `ENTRYPOINT ${JSON.stringify(entrypoint)} of image ${image}`;
  const why = OOMKilled ? ' for want of memory' : '';
  const told = log === '' ? '' : `; its last lines:\n${log}`;
  const message = `${what} ended with exit code ${ExitCode}${why}, and the box with it${told}`;
  return new VfError(OOMKilled ? 'runtime/out_of_memory' : 'runtime/boot_failed', message, {
    hint: hintFor(log, isOurs, OOMKilled),
    retryable: ExitCode === killed && !OOMKilled,
  });
}

function hintFor(log: string, isOurs: boolean, isOutOfMemory: boolean): string {
  if (isOutOfMemory) return 'give it more: --runtime.memory_mb, or resources of the task';
  if (/temporarily unavailable/.test(log)) return 'give it more processes: --runtime.pids';
  return isOurs
    ? 'an image for vf has sh, sleep, cat, id and grep, and a PATH on which they are'
    : 'let it end with exec "$@", so that it runs the command that it is given, or leave it out';
}
