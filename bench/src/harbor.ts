import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { leftOver } from './harbor/left-over.ts';
import { runVf, vfErrors, vfRewards } from './harbor/ours.ts';
import { harborProgram, harborRewards, runHarbor } from './harbor/peer.ts';
import { told } from './told.ts';

/**
 * Harbor tasks with the oracle in Docker, against Harbor's own program. It needs an engine, the image debian:bookworm,
 * and for Harbor the plugins compose and buildx of the Docker client; uv installs Harbor unless `--harbor PROGRAM` says
 * where it is. `--only-vf` leaves Harbor out.
 */
const fixtures = resolve(import.meta.dirname, '../../plugins/taskset/harbor/fixtures');
const limits = { wall: 0.4, cpu: 0.2, peakBytes: 400e6 };
const many = { trials: 64, atOnce: 16 };

/** A copy without network policies, for which Harbor needs an image registry. */
async function copyOfTasks(folder: string): Promise<string> {
  const tasks = join(folder, 'tasks');
  await cp(fixtures, tasks, { recursive: true });
  for (const name of await readdir(tasks)) {
    const file = join(tasks, name, 'task.toml');
    const toml = await readFile(file, 'utf8');
    await writeFile(file, toml.replaceAll(/^(?:network_mode|allow_internet).*\n/gm, ''));
  }
  return tasks;
}

async function newFolder(): Promise<string> {
  return mkdtemp(join(folder, 'out-'));
}

async function compare(tasks: string, harbor: string): Promise<void> {
  const all = { path: tasks, trials: 1, atOnce: 4 };
  const theirs = { ...all, program: harbor, out: await newFolder() };
  const ours = { ...all, out: await newFolder() };
  await runHarbor(theirs);
  await runVf(ours);
  const [rewards, own] = [await harborRewards(theirs.out), await vfRewards(ours.out)];
  const isEqual = isDeepStrictEqual(rewards, own);
  console.log(`rewards of ${Object.keys(own).length} tasks ${isEqual ? 'are equal' : 'differ:'}`);
  if (!isEqual) console.log({ harbor: rewards, vf: own });

  const one = { path: join(tasks, 'hello-file'), trials: 8, atOnce: 4 };
  const peer = await runHarbor({ ...one, program: harbor, out: await newFolder() });
  const vf = await runVf({ ...one, out: await newFolder() });
  const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} ×`;
  console.log(
    `8 trials, 4 at once: clock ${vf.wall.toFixed(1)} and ${peer.wall.toFixed(1)} s: ${ratio(vf.wall, peer.wall)} (at most ${limits.wall})`,
  );
  console.log(
    `  processor ${vf.cpu.toFixed(1)} and ${peer.cpu.toFixed(1)} s: ${ratio(vf.cpu, peer.cpu)} (at most ${limits.cpu})`,
  );
}

async function manyTrials(tasks: string): Promise<void> {
  const [out, temporary] = [await newFolder(), await newFolder()];
  const job = { path: join(tasks, 'hello-file'), ...many, out };
  const { wall, cpu, peak, pid } = await runVf(job, temporary);
  const errors = await vfErrors(out);
  console.log(
    `${many.trials} trials, ${many.atOnce} at once: ${wall.toFixed(1)} s, processor ${cpu.toFixed(1)} s, peak ${(peak / 1e6).toFixed(0)} MB (at most ${limits.peakBytes / 1e6}), ${errors.length} errors`,
  );
  for (const error of errors) console.log(`  ${error}`);
  const left = leftOver(pid, temporary);
  console.log(left.length === 0 ? 'nothing is left over' : `left over: ${left.join(', ')}`);
}

const { values } = parseArgs({
  options: { harbor: { type: 'string' }, 'only-vf': { type: 'boolean', default: false } },
});
const folder = await mkdtemp(join(tmpdir(), 'vf-bench-'));
try {
  await told(async () => {
    const harbor = values['only-vf'] ? null : await harborProgram(values.harbor);
    const tasks = await copyOfTasks(folder);
    if (harbor !== null) await compare(tasks, harbor);
    await manyTrials(tasks);
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
