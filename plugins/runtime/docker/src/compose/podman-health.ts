import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { aboutEngine } from '../engine/about.ts';
import type { Project } from './project.ts';

const pauseMs = 500;
const nanosPerMs = 1e6;
const defaultIntervalMs = 30_000;
/** How late a check of the engine's own may be. */
const lateMs = 500;

/**
 * Has the health of services checked until `signal`, on an engine that does not do it by itself: Podman leaves the
 * checks to timers of systemd, which not every machine has. Where they come in time this does nothing.
 */
export async function checkHealth(project: Project, signal: AbortSignal): Promise<void> {
  const { isPodman } = await aboutEngine(project.engine);
  if (!isPodman) return;
  while (!signal.aborted) {
    const containers = await project.containers().catch(() => []);
    await Promise.all(containers.map(({ Id }) => checkWhenDue(project.engine.docker, Id)));
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** One that is gone or not running has no health. */
async function checkWhenDue(docker: Docker, id: string): Promise<void> {
  const about = await docker
    .getContainer(id)
    .inspect()
    .catch(() => null);
  if (about?.State.Running !== true || about.State.Health?.Status !== 'starting') return;
  const last = about.State.Health.Log?.at(-1)?.Start ?? about.State.StartedAt;
  const interval = (about.Config.Healthcheck?.Interval ?? 0) / nanosPerMs || defaultIntervalMs;
  if (Date.now() - Date.parse(last) < interval + lateMs) return;
  await new Promise<void>((resolve) => {
    docker.modem.dial(
      {
        path: `/v4.0.0/libpod/containers/${id}/healthcheck`,
        method: 'GET',
        statusCodes: { 200: true, 404: 'gone', 409: 'not running', 500: 'server error' },
      },
      () => resolve(),
    );
  });
}
