import { VfError } from '@vf/core/errors';

/** For a box to which nothing of the host can be brought. */
export function unseen(name: string): VfError {
  return new VfError(
    'harness/install_failed',
    `${name} cannot be brought into this box, which does not see the host's files`,
    { hint: 'use --runtime subprocess or docker' },
  );
}
