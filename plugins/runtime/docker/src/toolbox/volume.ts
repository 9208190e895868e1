import { createHash } from 'node:crypto';
import { basename, join, posix } from 'node:path';
import type { BoxLabels } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { cacheDir, withLock } from '@vf/runtime-kit';
import type Docker from 'dockerode';
import type { Engine } from '../engine/engine.ts';
import { engineError } from '../engine/engine-error.ts';
import { outputOf } from '../exec/execution.ts';
import { putTree } from '../files/put.ts';
import { forgetAtExit, removeAtExit } from '../leftovers/exit-hook.ts';
import { cacheLabel, toDockerLabels } from '../leftovers/labels.ts';
import { removeContainer } from '../leftovers/remove.ts';

/** Holds the toolbox on an engine that does not see the files of this machine. */
export const toolboxVolume = 'vf-toolbox';

export const cacheLabels = { [cacheLabel]: 'toolbox' };

/** Makes the volume where it is missing. */
export async function ensureVolume({ docker }: Engine): Promise<void> {
  await docker.createVolume({ Name: toolboxVolume, Labels: cacheLabels });
}

/** What a folder is sent through. */
export interface Sender {
  readonly engine: Engine;
  /** One that is there, with a shell and `mv`. */
  readonly image: string;
  readonly labels: BoxLabels;
  /** Of this machine, among those that share the engine. */
  readonly machine: string;
  /** Is a folder of this name in the volume? */
  has(name: string): Promise<boolean>;
}

const root = '/vf-toolbox';
const owner = { uid: 0, gid: 0 };

/**
 * Brings a folder into the volume under its own name, once however many ask; one that is half there is not taken for it.
 * @throws VfError runtime/boot_failed, runtime/disk_full, runtime/engine_gone
 */
export async function sendToVolume(
  sender: Sender,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const name = basename(folder);
  if (await sender.has(name)) return;
  const place = createHash('sha256').update(sender.engine.address).digest('hex').slice(0, 12);
  const lock = join(cacheDir(), 'docker', 'volumes', `${place}-${name}.lock`);
  try {
    await withLock(lock, signal, async () => {
      if (!(await sender.has(name))) await send(sender, folder, name, signal);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw sendError(error, name);
  }
}

/** Sent under another name, that of a machine that was killed half-way is begun anew; the whole is then renamed. */
async function send(
  sender: Sender,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const half = posix.join(root, `.filling-${sender.machine}-${name}`);
  const whole = posix.join(root, name);
  await inHelper(sender, async (container) => {
    await inShell(container, 'rm -rf "$1"', half);
    await putTree(container, folder, half, { owner, signal });
    // Another machine may have been first.
    await inShell(container, '[ -d "$2" ] && rm -rf "$1" || mv "$1" "$2"', half, whole);
  });
}

async function inShell(
  container: Docker.Container,
  script: string,
  ...args: readonly string[]
): Promise<void> {
  const argv = ['sh', '-c', script, 'sh', ...args];
  const { exitCode, stdout, stderr } = await outputOf(container, { argv });
  if (exitCode !== 0) throw new Error(`${stdout}${stderr}`.trim());
}

/** Runs work with a container that may write to the volume. */
async function inHelper(
  { engine, image, labels }: Sender,
  work: (container: Docker.Container) => Promise<void>,
): Promise<void> {
  const container = await engine.docker.createContainer({
    Image: image,
    Entrypoint: ['sh', '-c', 'while :; do sleep 86400; done'],
    Cmd: [],
    User: '0:0',
    WorkingDir: '/',
    Labels: toDockerLabels(labels, 'sender'),
    HostConfig: {
      NetworkMode: 'none',
      Mounts: [{ Type: 'volume', Source: toolboxVolume, Target: root }],
      LogConfig: { Type: 'none', Config: {} },
    },
  });
  const { address } = engine;
  const standing = { address, containerIds: () => [container.id], projects: () => [] };
  removeAtExit(standing);
  try {
    await container.start();
    await work(container);
  } finally {
    await removeContainer(container);
    forgetAtExit(standing);
  }
}

function sendError(error: unknown, name: string): VfError {
  const what = `${name} cannot be brought to the engine`;
  if (!VfError.isInstance(error) && /no space left/i.test(String(error))) {
    return new VfError('runtime/disk_full', `${what}: ${String(error)}`, {
      cause: error,
      retryable: false,
      hint: 'the disk of the engine is full: docker system df, docker system prune',
    });
  }
  return engineError(error, 'runtime/boot_failed', what);
}
