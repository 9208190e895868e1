import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunSummary } from '@vf/run';
import { MeasuredProcess } from './processes/measured-process.ts';
import type { Play } from './run/player.ts';

/** 10,000 rollouts of one process, all of them open while a model takes its time: memory, and that each ends well. */
const rollouts = Number(process.argv[2] ?? 10_000);
const delayMs = 30_000;
const mostBytes = 3e9;

const folder = await mkdtemp(join(tmpdir(), 'vf-bench-'));
const model = await MeasuredProcess.start(new URL('./run/model.ts', import.meta.url), [
  String(delayMs),
]);
const vf = await MeasuredProcess.start(new URL('./run/player.ts', import.meta.url), [folder]);
const { url: modelUrl } = model.ready as { url: string };
const before = await vf.used();
const play: Play = { modelUrl, rollouts, atOnce: rollouts };
const { figures, errors, seconds } = (await vf.ask(play)) as RunSummary;
const { cpu, peakBytes } = await vf.used();
const most = ((await model.ask('most')) as { open: number }).open;
console.log(
  `${rollouts} rollouts, each answered after ${delayMs / 1000} s: ${seconds.toFixed(0)} s, ${most} open at once`,
);
console.log(`  scored ${figures.scored}, errors ${JSON.stringify(errors)}`);
console.log(
  `  peak ${(peakBytes / 1e9).toFixed(2)} GB (at most ${mostBytes / 1e9}), ${((cpu - before.cpu) / rollouts).toFixed(0)} µs a rollout`,
);
vf.stop();
model.stop();
await rm(folder, { recursive: true });
