import type { Config } from '../config.ts';

/** What package managers, `su` and servers need of root's rights. */
const kept = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETUID',
  'SYS_CHROOT',
] as const;

/** Rights of programs in a container; null: the engine's usual ones. */
export interface Privileges {
  readonly drop: readonly string[];
  readonly add: readonly string[];
  readonly security: readonly string[];
}

export function privilegesOf({ hardened }: Config): Privileges | null {
  return hardened ? { drop: ['ALL'], add: kept, security: ['no-new-privileges:true'] } : null;
}
