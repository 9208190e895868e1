import { setTimeout as sleep } from 'node:timers/promises';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import { serviceLabel } from '../leftovers/labels.ts';
import { endedService } from './ended-services.ts';
import type { ComposeModel } from './model.ts';
import { checkHealth } from './podman-health.ts';
import { compose } from './program.ts';
import { noAddresses } from './no-addresses.ts';
import type { Project } from './project.ts';
import { mainService } from './read-set.ts';

const pauseMs = 100;

/**
 * Starts the services in their order and waits until each is up: healthy where it has a health check, else running; one
 * but `main` may also have ended well. The file goes through a pipe: it holds values that are for boxes alone.
 * @throws VfError runtime/boot_failed with the service that failed and its last words, runtime/no_addresses
 */
export async function startSet(
  project: Project,
  model: ComposeModel,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const started = new AbortController();
  checkHealth(project, started.signal).catch(() => {});
  try {
    await untilUp(project, model, folder, signal);
  } finally {
    started.abort();
  }
}

async function untilUp(
  project: Project,
  model: ComposeModel,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const { engine, name } = project;
  const names = ['--project-name', name, '--project-directory', folder, '--file', '-'];
  const answer = await compose({
    engine,
    args: [...names, 'up', '--detach', '--no-build', '--quiet-pull'],
    stdin: JSON.stringify(model),
    variables: {},
    signal,
  });
  if (answer.exitCode !== 0) throw await startFailure(project, answer.stderr);
  for (;;) {
    const states = await statesOf(project);
    const failed = states.find(({ failure }) => failure !== null);
    if (failed !== undefined) throw await serviceFailure(failed);
    if (states.every(({ isUp }) => isUp)) {
      for (const { service, container, runs } of states) {
        if (runs && service !== mainService) project.running.set(container.id, service);
      }
      return;
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

interface ServiceState {
  readonly service: string;
  readonly container: Docker.Container;
  readonly isUp: boolean;
  readonly runs: boolean;
  /** Why it will never be up. */
  readonly failure: string | null;
}

async function statesOf(project: Project): Promise<readonly ServiceState[]> {
  const containers = await project.containers();
  return Promise.all(
    containers.map(async ({ Id, Labels }) => {
      const container = project.engine.docker.getContainer(Id);
      const { State } = await container.inspect();
      const service = Labels[serviceLabel] ?? Id;
      return { service, container, runs: State.Running, ...judge(service, State) };
    }),
  );
}

type State = Docker.ContainerInspectInfo['State'];

function judge(service: string, state: State): Pick<ServiceState, 'isUp' | 'failure'> {
  const health = state.Health?.Status;
  if (state.Restarting || state.Status === 'created') return { isUp: false, failure: null };
  if (!state.Running) {
    const isWell = state.ExitCode === 0 && service !== mainService;
    return { isUp: isWell, failure: isWell ? null : `ended with exit code ${state.ExitCode}` };
  }
  if (health === 'unhealthy') {
    const said = state.Health?.Log?.at(-1)?.Output.trim();
    return { isUp: false, failure: `is not healthy${said ? ` (${said})` : ''}` };
  }
  return { isUp: health !== 'starting', failure: null };
}

/** Compose says which service failed in words of its own; the engine knows why. */
async function startFailure(project: Project, stderr: string): Promise<VfError> {
  const states = await statesOf(project).catch(() => []);
  const failed = states.find(({ failure }) => failure !== null);
  if (failed !== undefined) return serviceFailure(failed);
  const words = stderr.trim().split('\n').slice(-5).join('\n');
  const message = `the services could not be started: ${words}`;
  return noAddresses(words, message) ?? new VfError('runtime/boot_failed', message);
}

function serviceFailure({ service, container, failure }: ServiceState): Promise<VfError> {
  return endedService('runtime/boot_failed', service, container, failure ?? 'failed');
}
