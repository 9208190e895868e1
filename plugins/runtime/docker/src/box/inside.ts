import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import { outputOf } from '../exec/execution.ts';
import type { Owner } from '../files/pack.ts';
import { endedMain } from './ended-main.ts';
import { toolboxMarker } from '../toolbox/mounts.ts';

/** What a container says of itself. */
export interface Inside {
  readonly owner: Owner;
  readonly libc: RuntimeApi['platform']['libc'];
  /** HOME of the user; `/` when nobody said, or when it is not there. */
  readonly home: string;
  /** Of the machine whose toolbox it sees; null: it sees none. */
  readonly toolboxOf: string | null;
}

const script = `id -u; id -g
[ -d "$HOME" ] && echo "$HOME" || echo /
libc=none
for file in /lib/ld-musl-*; do [ -e "$file" ] && libc=musl; done
for file in /lib/ld-linux* /lib64/ld-linux* /lib/*/ld-linux*; do [ -e "$file" ] && libc=glibc; done
echo $libc
cat "$1" 2>/dev/null`;

/** @throws VfError runtime/boot_failed when the image has no shell */
export async function lookInside(
  container: Docker.Container,
  image: string,
  user: string | undefined,
): Promise<Inside> {
  const argv = ['sh', '-c', script, 'sh', toolboxMarker];
  const asked = { argv, ...(user === undefined ? {} : { user }) };
  const { stdout } = await outputOf(container, asked).catch(async (error: unknown) => {
    throw (await endedMain(container, image)) ?? error;
  });
  const [uid, gid, home, libc, machine] = stdout.split('\n');
  if (libc === undefined || !/^\d+$/.test(uid ?? ''))
    throw (await endedMain(container, image)) ?? noShell(image, stdout);
  return {
    owner: { uid: Number(uid), gid: Number(gid) },
    home: home || '/',
    libc: libc === 'glibc' || libc === 'musl' ? libc : null,
    toolboxOf: machine || null,
  };
}

function noShell(image: string, said: string): VfError {
  return new VfError('runtime/boot_failed', `no shell runs in image ${image}: ${said.trim()}`, {
    hint: 'an image for vf has sh, sleep and grep, and the user that is asked for',
    retryable: false,
  });
}
