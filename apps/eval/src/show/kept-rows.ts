import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Trace } from '@vf/core';
import { asName } from '../screen/one-line.ts';
import type { InfoRow } from './info-rows.ts';

/** Where the log of an episode and the files of its rollouts are, which of these, and how to get into boxes that stand. */
export function keptRows(dir: string, episode: string, traces: readonly Trace[]): InfoRow[] {
  const log = join(dir, 'logs', `${episode}.log`);
  return [
    ...(existsSync(log) ? [['log', [shown(log)]] as const] : []),
    ...traces.flatMap(({ id, info }): InfoRow[] => {
      const folder = join(dir, 'artifacts', episode, id);
      const box = info['keptBox'];
      return [
        ...(existsSync(folder)
          ? [['kept', [shown(folder), namesOf(info['artifacts'])]] as const]
          : []),
        ...(typeof box === 'string' ? [['box', [asName(box)]] as const] : []),
      ];
    }),
  ];
}

/** As one may type it from here. */
function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return asName(near.startsWith('..') ? path : near);
}

function namesOf(artifacts: unknown): string {
  const kept: unknown = Object(artifacts).kept;
  return Array.isArray(kept) ? asName(kept.join(', ')) : '';
}
