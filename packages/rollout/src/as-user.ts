import { posix } from 'node:path';
import type { ExecOptions, RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';

const { dirname, resolve } = posix;
const root = 0;

/**
 * A box as another of its users has it: programs run as them, files belong to them, and the agent has a home there.
 * @throws VfError runtime/exec_failed for a user that the box does not have
 */
export async function asUser(
  box: RuntimeApi,
  user: string | number,
  signal: AbortSignal,
): Promise<RuntimeApi> {
  const home = `${box.home}-${user}`;
  const own = async (path: string, s: AbortSignal | undefined): Promise<void> => {
    const ended = await box.run(['chown', '-R', String(user), path], {
      user: root,
      ...(s === undefined ? {} : { signal: s }),
    });
    if (ended.exitCode === 0) return;
    const message = `the box has no user ${user}: ${ended.stderr.trim()}`;
    throw new VfError('runtime/exec_failed', message, { retryable: false });
  };
  // What is missing on the way to a file is the user's too, where the user may make it.
  const folderFor = async (path: string, s: AbortSignal | undefined): Promise<void> => {
    const argv = ['mkdir', '-p', dirname(resolve(box.workdir, path))];
    await box.run(argv, { user, ...(s === undefined ? {} : { signal: s }) });
  };
  // One without a name has no home in the image.
  const env = typeof user === 'number' ? { HOME: home } : {};
  const as = (options: ExecOptions = {}): ExecOptions => ({
    user,
    ...options,
    env: { ...env, ...options.env },
  });
  await box.run(['mkdir', '-p', '-m', '700', home], { user: root, signal });
  await own(home, signal);
  return {
    id: box.id,
    workdir: box.workdir,
    home,
    platform: box.platform,
    run: (argv, options) => box.run(argv, as(options)),
    spawn: (argv, options) => box.spawn(argv, as(options)),
    read: (path, options) => box.read(path, options),
    async write(path, data, options) {
      await folderFor(path, options?.signal);
      await box.write(path, data, options);
      await own(path, options?.signal);
    },
    async upload(localDir, path, s, options) {
      await folderFor(path, s);
      await box.upload(localDir, path, s, options);
      await own(path, s);
    },
    download: (...args) => box.download(...args),
    toolbox: (entry, s) => box.toolbox(entry, s),
  };
}
