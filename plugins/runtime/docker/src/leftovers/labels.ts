import type { BoxLabels } from '@vf/core';
import type { Maker } from '@vf/runtime-kit';
import { thisProcess } from '@vf/runtime-kit';

/** Every container of ours has it. */
export const runLabel = 'vf.run';

/** What is kept for later runs, until someone asks for its removal. */
export const cacheLabel = 'vf.cache';

/** Compose's own: which service of which set. */
export const serviceLabel = 'com.docker.compose.service';
export const projectLabel = 'com.docker.compose.project';

/** Begins the name of a container that is kept for a person. Names can be changed later on, labels cannot. */
export const keptPrefix = 'vf-kept-';

/** Docker labels that say whose a container is. `part` is the box itself, its relay, what runs beside it or brings the toolbox. */
export function toDockerLabels(
  { run, rollout, host, pid, started }: BoxLabels,
  part: 'box' | 'relay' | 'service' | 'sender',
): Record<string, string> {
  const maker = thisProcess();
  return {
    [runLabel]: run,
    'vf.rollout': rollout,
    'vf.host': host,
    'vf.pid': String(pid),
    'vf.started': String(started),
    'vf.part': part,
    'vf.maker.host': maker.host,
    'vf.maker.pid': String(maker.pid),
    'vf.maker.start': maker.start ?? '',
  };
}

/** As filters find what this process has made. */
export function ofThisProcess(): readonly string[] {
  const { host, pid, start } = thisProcess();
  return [`vf.maker.host=${host}`, `vf.maker.pid=${pid}`, `vf.maker.start=${start ?? ''}`];
}

export function fromDockerLabels(labels: Readonly<Record<string, string>>): BoxLabels {
  return {
    run: labels[runLabel] ?? '',
    rollout: labels['vf.rollout'] ?? '',
    host: labels['vf.host'] ?? '',
    pid: Number(labels['vf.pid']),
    started: Number(labels['vf.started']),
  };
}

export function makerOf(labels: Readonly<Record<string, string>>): Maker {
  return {
    host: labels['vf.maker.host'] ?? '',
    pid: Number(labels['vf.maker.pid']),
    start: labels['vf.maker.start'] || null,
  };
}
