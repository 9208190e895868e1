import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeSyntheticRun } from './run-folder/synthetic-run.ts';
import { costOf, peakOf } from './start-up/cost.ts';

/** `vf export`: memory grows by the index alone, about 1 kB an episode, however much the episodes hold. */
const texts = {
  name: 'run',
  forms: [['verifiers'], ['csv'], ['parquet'], ['atif']],
  sizes: [10_000, 100_000],
} as const;
const tokens = {
  name: 'tokens',
  forms: [['verifiers'], ['trl'], ['parquet', '--export.rows', 'samples']],
  sizes: [20_000, 60_000],
  tokens: { turns: 4, each: 100 },
} as const;
const attempts = 4;
const mostBytes = 2000;

const root = resolve(import.meta.dirname, '../..');
const dir = await mkdtemp(join(tmpdir(), 'vf-bench-'));
process.env['VF_PROJECT'] = root;
for (const { name, forms, sizes, ...has } of [texts, tokens]) {
  for (const size of sizes) {
    await writeSyntheticRun({
      dir: join(dir, 'outputs/synthetic', `${name}-${size}`),
      runId: `${name}-${size}`,
      tasks: size / attempts,
      attempts,
      harness: 'codex',
      scored: 0.99,
      solved: 0.6,
      hasSummary: false,
      ...has,
    });
  }
  for (const [form, ...options] of forms) {
    const peaks = sizes.map((size) => {
      const path = join(dir, `${form}-${name}-${size}`);
      const args = ['export', `${name}-${size}`, '--to', form, ...options, '-o', path, '-q'];
      const vf = ['--conditions=@vf/source', join(root, 'apps/eval/bin/vf.js'), ...args];
      const { cpu, wall } = costOf(vf, dir);
      const again = vf.map((arg) => (arg === path ? `${path}-again` : arg));
      const peak = peakOf(again, dir);
      console.log(
        `${form} of ${name}, ${size} episodes: ${(wall / 1000).toFixed(1)} s, ${((cpu / size) * 1000).toFixed(0)} µs of processor an episode, peak ${(peak / 1e6).toFixed(0)} MB`,
      );
      return peak;
    });
    const [small = 0, large = 0] = peaks;
    const [few = 0, many = 0] = sizes;
    const grown = (large - small) / (many - few);
    console.log(`  peak grows by ${grown.toFixed(0)} bytes an episode (at most ${mostBytes})`);
  }
}
await rm(dir, { recursive: true });
