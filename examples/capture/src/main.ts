import { join, resolve } from 'node:path';
import { exportEpisodes } from '@vf/export-kit';
import { storeEpisodes } from '@vf/run';
import { episodes } from '@vf/store';
import { forms } from './exports.ts';
import { rollouts } from './rollouts.ts';

const folder = resolve(process.argv[2] ?? 'outputs');
const run = join(folder, 'calculator');

const { figures } = await storeEpisodes(run, rollouts());
process.stdout.write(`calculator: ${figures.scored} rollouts, reward ${figures.reward?.mean}\n`);

for (const { file, exporter, config = {} } of forms) {
  const path = join(folder, file);
  const exported = await exportEpisodes(exporter, episodes(run), { path, config });
  process.stdout.write(`${file}: ${exported.written} ${exported.unit ?? 'rows'}\n`);
}
