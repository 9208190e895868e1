import { VfError } from '@vf/core/errors';
import { aboutEngine } from '../engine/about.ts';
import type { Engine } from '../engine/engine.ts';

/**
 * May the networks of sets be closed here? Podman gives the host an address on internal ones too, so that boxes reach
 * what listens there.
 * @throws VfError misfit/plan where they may not
 */
export async function requireClosable(engine: Engine): Promise<void> {
  if (!(await aboutEngine(engine)).isPodman) return;
  const message =
    'Podman cannot enforce a network policy other than public for a box with compose services';
  throw new VfError('misfit/plan', message, {
    retryable: false,
    hint: 'play these tasks on Docker: --runtime.host unix:///var/run/docker.sock, or DOCKER_HOST',
  });
}
