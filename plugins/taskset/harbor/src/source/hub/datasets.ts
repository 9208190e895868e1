import { z } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { parseListedDataset } from '../registry-file.ts';
import type { ListedDataset } from '../registry-file.ts';
import { remembered } from '../remembered.ts';
import type { HubReader } from './rest.ts';

const row = z.object({ version: z.string() });

/** The versions of a dataset of the older registry; none when it is not there. */
export async function versionsOf(hub: HubReader, name: string): Promise<string[]> {
  const rows = await hub.rows('dataset', { select: 'version', name: `eq.${name}` });
  return rows.map((one) => row.parse(one).version);
}

/** @throws VfError taskset/load_failed */
export async function listedVersion(
  hub: HubReader,
  name: string,
  version: string,
): Promise<ListedDataset> {
  const ask = () => hub.call('get_dataset', { p_name: name, p_version: version });
  const answer =
    version === 'head' ? await ask() : await remembered(`${hub.url} ${name}@${version}`, ask);
  if (answer !== null) return parseListedDataset(answer, `${hub.url}: ${name}@${version}`);
  throw new VfError('taskset/load_failed', `${hub.url} has no dataset ${name}@${version}`, {
    hint: 'NAME[@VERSION], or org/name for a package of the hub',
  });
}
