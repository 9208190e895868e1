import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { instant, say, startScriptedModel } from '@vf/testkit';
import { clockOf, costOf, costUntil, peakOf } from './start-up/cost.ts';
import type { Cost } from './start-up/cost.ts';
import { installPacked } from './start-up/packed-install.ts';

/**
 * Start-up against an empty Node program: `vf --help`, `vf plugins list`, and `vf eval` up to its first model call. Of the packages as
 * they are published and installed, which is what users run, and of the source tree.
 * `--packed FOLDER`: an installation made before.
 */
const warmUps = 2;
const runs = 10;
const root = resolve(import.meta.dirname, '../..');
const limits = { help: 3, list: 4, eval: 8, peakBytes: 70e6 };

interface Program {
  readonly name: string;
  readonly args: readonly string[];
}

async function compare(program: Program, dir: string): Promise<void> {
  await using model = await startScriptedModel({ script: instant(say('4')), record: false });
  const empty = join(dir, 'empty.mjs');
  const evalArgs = [
    ...program.args,
    'eval',
    './addition.ts',
    '-n',
    '1',
    '-m',
    'scripted',
    '--base-url',
    `${model.url}/v1`,
    '-q',
  ];
  const sums = { empty: zero, started: zero, help: zero, list: zero, eval: zero };
  let calls = 0;
  for (let i = -warmUps; i < runs; i++) {
    const costs = {
      empty: costOf([empty], dir),
      started: { wall: await clockOf([empty], dir), cpu: 0 },
      help: costOf([...program.args, '--help'], dir),
      list: costOf([...program.args, 'plugins', 'list'], dir),
      eval: await costUntil(evalArgs, dir, () => model.received(++calls)),
    };
    if (i < 0) continue;
    for (const part of ['empty', 'started', 'help', 'list', 'eval'] as const)
      sums[part] = add(sums[part], costs[part]);
  }
  const peak = peakOf([...program.args, '--help'], dir);
  const emptyPeak = peakOf([empty], dir);
  console.log(`${program.name}: empty program ${text(sums.empty)}`);
  console.log(
    `  --help ${text(sums.help)}: ${ratio(sums.help, sums.empty)} (at most ${limits.help}); peak ${(peak / 1e6).toFixed(0)} MB (at most ${limits.peakBytes / 1e6}), of an empty program ${(emptyPeak / 1e6).toFixed(0)} MB`,
  );
  console.log(
    `  plugins list ${text(sums.list)}: ${ratio(sums.list, sums.empty)} (at most ${limits.list})`,
  );
  console.log(
    `  eval to its first call ${text(sums.eval)}: ${ratio(sums.eval, { ...sums.empty, wall: sums.started.wall })} (at most ${limits.eval})`,
  );
}

const zero: Cost = { wall: 0, cpu: 0 };

function add(a: Cost, b: Cost): Cost {
  return { wall: a.wall + b.wall, cpu: a.cpu + b.cpu };
}

function text({ wall, cpu }: Cost): string {
  return `${(cpu / runs).toFixed(0)} ms of processor, ${(wall / runs).toFixed(0)} ms`;
}

function ratio(a: Cost, b: Cost): string {
  return `${(a.cpu / b.cpu).toFixed(1)} x processor, ${(a.wall / b.wall).toFixed(1)} x clock`;
}

/** A shell starts a command with the flags that its first line gives to Node. */
function asItsFirstLineSays(command: string): string[] {
  const [first = ''] = readFileSync(command, 'utf8').split('\n');
  return [...first.split(' ').filter((word) => word.startsWith('--')), command];
}

async function prepare(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'empty.mjs'), '');
  await cp(join(root, 'examples/addition/addition.ts'), join(dir, 'addition.ts'));
}

const made = await mkdtemp(join(tmpdir(), 'vf-bench-'));
const at = process.argv.indexOf('--packed');
const packed = at < 0 ? join(made, 'packed') : resolve(process.argv[at + 1] ?? '');
if (at < 0)
  execFileSync('pnpm', ['turbo', 'run', 'build', '--filter=@vf/eval...'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
const command =
  at < 0 ? installPacked(root, packed) : join(packed, 'node_modules/@vf/eval/bin/vf.js');
await prepare(packed);
await compare({ name: 'installed', args: asItsFirstLineSays(command) }, packed);
const source = join(made, 'source');
await prepare(source);
await compare(
  { name: 'source', args: ['--conditions=@vf/source', join(root, 'apps/eval/bin/vf.js')] },
  source,
);
await rm(made, { recursive: true });
