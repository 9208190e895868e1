import { dirname } from 'node:path';
import type { ComposeSet } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { reachingOut } from './reaching-out.ts';
import type { ReadSet } from './read-set.ts';
import { listed, mainService } from './read-set.ts';

/** Why a set is not played here: what of it leads out of its boxes, or cannot be had with the engine; null when nothing does. */
export function reachesOut(
  set: ComposeSet,
  read: ReadSet,
  engine: Engine,
  config: Config,
): VfError | null {
  const folder = dirname(set.files[0] ?? '.');
  const { network_mode: mode } = read.model.services[mainService] ?? {};
  const problems = config.trust_compose ? [] : reachingOut(read, folder);
  const services = Object.entries(read.model.services);
  const bound = services.filter(([, { volumes = [] }]) =>
    volumes.some(({ type }) => type === 'bind'),
  );
  if (mode !== undefined && mode !== 'bridge')
    problems.push(`${mainService}: network_mode ${mode}`);
  if (!engine.local)
    problems.push(
      ...bound.map(([name]) => `${name}: files of this machine, with an engine elsewhere`),
    );
  if (problems.length === 0) return null;
  return new VfError(
    'misfit/plan',
    `${listed(set)} reaches out of its boxes: ${problems.join('; ')}`,
    {
      retryable: false,
      hint: '--runtime.trust_compose true, when you trust the files with this machine',
    },
  );
}
