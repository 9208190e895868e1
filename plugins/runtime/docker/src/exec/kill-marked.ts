import type Docker from 'dockerode';
import { outputOf } from './execution.ts';

// Signals what has the mark in its environment and all its descendants; a killed tree is looked for again until
// none of it is left. Only a shell and grep are needed, busybox's too.
const script = `signal=$1 mark=$2 round=0
while [ $round -lt 40 ]; do
  found=' '
  for file in $(grep -lszF "$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}; found="$found\${pid%/environ} "
  done
  [ "$found" = ' ' ] && exit 0
  grown=1
  while [ $grown = 1 ]; do
    grown=0
    for stat in /proc/[0-9]*/stat; do
      read -r line 2>/dev/null <"$stat" || continue
      pid=\${line%% *}
      set -- \${line##*) }
      case "$found" in *" $pid "*) continue ;; esac
      case "$found" in *" $2 "*) found="$found$pid "; grown=1 ;; esac
    done
  done
  kill -"$signal" $found 2>/dev/null
  [ "$signal" = KILL ] || exit 0
  round=$((round + 1))
done`;

/**
 * Sends a signal to a program and all that it started. A container that is gone has none.
 * @param user whose environment is read: that of the program, since root in a container may not look into others'
 */
export async function killMarked(
  container: Docker.Container,
  mark: string,
  signal: 'KILL' | 'TERM' | 'INT',
  user: string | undefined,
): Promise<void> {
  const argv = ['sh', '-c', script, 'sh', signal, mark];
  const as = user === undefined ? {} : { user };
  await outputOf(container, { argv, ...as }).catch(() => null);
}
