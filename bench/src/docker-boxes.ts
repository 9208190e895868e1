import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '@vf/core';
import docker from '@vf/runtime-docker';
import Docker from 'dockerode';
import { told } from './told.ts';

/**
 * What boxes in Docker cost: making, one program and freeing; 200 MB of output in one command; 10,000 small files up and
 * down. Needs an engine with busybox:latest.
 */
const image = 'busybox:latest';
const boxes = 12;
const outputMb = 200;
const files = 10_000;
const { signal } = new AbortController();

const started = Math.floor(Date.now() - performance.now());
const config = configOf();
const labels = { run: 'bench', rollout: 'bench', host: hostname(), pid: process.pid, started };
const open = (): Promise<Box> => docker.create({ config, image, labels }, signal);

function configOf(): Parameters<typeof docker.create>[0]['config'] {
  const parsed = docker.config?.parse({ pull: 'never' });
  if (parsed === undefined) throw new Error('runtime docker takes no options');
  return parsed;
}

async function timed<Value>(work: () => Promise<Value>): Promise<readonly [Value, number]> {
  const from = performance.now();
  return [await work(), performance.now() - from];
}

async function oneBox(): Promise<Record<string, number>> {
  const [box, create] = await timed(open);
  const [, first] = await timed(() => box.run(['true']));
  const [, write] = await timed(() => box.write('file', 'x'));
  const [, stop] = await timed(() => box.stop());
  return { create, first, write, stop };
}

const engine = new Docker();

/** The same by the engine's calls alone: what no runtime can do without. */
async function bareBox(): Promise<void> {
  const container = await engine.createContainer({
    Image: image,
    Entrypoint: ['sh', '-c', 'while :; do sleep 86400; done'],
    HostConfig: { Init: true, LogConfig: { Type: 'none', Config: {} } },
  });
  await container.start();
  const exec = await container.exec({ Cmd: ['true'], AttachStdout: true });
  const stream = await exec.start({ hijack: true });
  stream.resume();
  await once(stream, 'end');
  await exec.inspect();
  await container.remove({ force: true });
}

function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(0);
}

async function overhead(): Promise<void> {
  await oneBox();
  const cpu = process.cpuUsage();
  const alone: Record<string, number>[] = [];
  const bare: number[] = [];
  for (let count = 0; count < boxes; count++) {
    const [times, whole] = await timed(oneBox);
    alone.push({ ...times, whole });
    bare.push((await timed(bareBox))[1]);
  }
  const { user, system } = process.cpuUsage(cpu);
  const parts = ['create', 'first', 'write', 'stop', 'whole'].map(
    (part) => `${part} ${median(alone.map((times) => times[part] ?? 0))}`,
  );
  console.log(`one box after another, medians in ms: ${parts.join(', ')}`);
  console.log(`  by bare calls of the engine, interleaved: ${median(bare)}`);
  console.log(`  processor time of vf ${((user + system) / 1000 / boxes).toFixed(0)} ms a box`);
  const [, together] = await timed(() => Promise.all(Array.from({ length: boxes }, oneBox)));
  console.log(`  ${boxes} at once: ${(together / boxes).toFixed(0)} ms a box`);
}

async function output(box: Box): Promise<void> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const script = `dd if=/dev/zero bs=1M count=${outputMb} 2>/dev/null | tr '\\0' x`;
  const [result, ms] = await timed(() => box.run(['sh', '-c', script]));
  clearInterval(watch);
  const grown = ((most - before) / 1e6).toFixed(0);
  console.log(`${outputMb} MB of output: ${(ms / 1000).toFixed(1)} s, ${grown} MB more memory`);
  console.log(`  kept ${(result.stdout.length / 1e6).toFixed(1)} MB, cut: ${result.truncated}`);
}

async function tree(box: Box, folder: string): Promise<void> {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  for (let index = 0; index < files; index++) {
    const dir = join(from, String(index % 100));
    if (index < 100) await mkdir(dir, { recursive: true });
    await writeFile(join(dir, String(index)), `file ${index}\n`.repeat(20));
  }
  const cpu = process.cpuUsage();
  const [, up] = await timed(() => box.upload(from, '/tree'));
  const [, down] = await timed(() => box.download('/tree', to));
  const { user, system } = process.cpuUsage(cpu);
  const count = (await readdir(to, { recursive: true })).length - 100;
  const seconds = [up, down].map((ms) => (ms / 1000).toFixed(1));
  console.log(`${count} small files: up ${seconds[0]} s, down ${seconds[1]} s`);
  console.log(`  processor time of vf for both ${((user + system) / 1e6).toFixed(1)} s`);
}

const folder = await mkdtemp(join(tmpdir(), 'vf-bench-'));
try {
  await told(async () => {
    await overhead();
    const box = await open();
    try {
      await output(box);
      await tree(box, folder);
    } finally {
      await box.stop();
    }
  });
} finally {
  await rm(folder, { recursive: true });
}
