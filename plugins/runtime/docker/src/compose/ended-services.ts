import type { ErrorCode } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import { statusOf } from '../engine/engine-error.ts';
import type { Project } from './project.ts';
import { lastLines } from './project.ts';

const shownLines = 20;
/** Nothing inside can do that. */
const removed = 'was removed while it should run';

/**
 * Looks whether services that were up have ended though they should run. One that the task stopped, that had ended well
 * before, or ends with 0 and has no health check (it has done its work) may end; one that restarts does.
 * @throws VfError with `code`, the service and its last lines
 */
export async function requireServices(project: Project, code: ErrorCode): Promise<void> {
  await Promise.all(
    [...project.running].map(async ([id, service]) => {
      if (project.stopped.has(service)) return;
      const container = project.engine.docker.getContainer(id);
      const end = await endOf(container);
      if (end !== null) throw await endedService(code, service, container, end);
    }),
  );
}

/** A service that ended, with the last that it logged. @param end what became of it: `ended with exit code 3` */
export async function endedService(
  code: ErrorCode,
  service: string,
  container: Docker.Container,
  end: string,
): Promise<VfError> {
  const log = await lastLines(container, shownLines).catch(() => '');
  const told = log === '' ? 'it has logged nothing' : `its last lines:\n${log}`;
  // As of the box itself: what the agent may have ended is no reason to let it begin anew.
  const options = code === 'runtime/box_gone' && end !== removed ? { retryable: false } : {};
  return new VfError(code, `service ${service} ${end}; ${told}`, options);
}

async function endOf(container: Docker.Container): Promise<string | null> {
  try {
    const about = await container.inspect();
    const { Running, Restarting, ExitCode, OOMKilled } = about.State;
    if (Running || Restarting || (ExitCode === 0 && mayEndWell(about))) return null;
    const why = OOMKilled ? 'was killed for want of memory' : `ended with exit code ${ExitCode}`;
    return `${why} while it should run`;
  } catch (error) {
    if (statusOf(error) === 404) return removed;
    throw error;
  }
}

function mayEndWell({ Config, HostConfig }: Docker.ContainerInspectInfo): boolean {
  if (HostConfig.RestartPolicy?.Name === 'on-failure') return true;
  const [kind = 'NONE'] = Config.Healthcheck?.Test ?? [];
  return kind === 'NONE';
}
