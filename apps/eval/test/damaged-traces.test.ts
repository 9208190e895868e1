import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addition, emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

let model: ScriptedModel;
const cwd = emptyFolder();

beforeAll(async () => {
  model = await startScriptedModel({ script: answerSums() });
});
afterAll(() => model.close());

const tracesOf = (name: string): string => join(cwd, 'outputs', name, 'traces.jsonl');

/** A run of four; the bytes at which its lines start. */
async function played(name: string): Promise<readonly number[]> {
  const run = ['eval', addition, '-n', '4', '--run', name, '-m', 'scripted'];
  expect((await vf([...run, '--base-url', `${model.url}/v1`], { cwd })).code).toBe(0);
  const lines = readFileSync(tracesOf(name), 'utf8').split('\n').slice(0, -1);
  return lines.map((_, at) => Buffer.byteLength(lines.slice(0, at).join('\n')) + Number(at > 0));
}

function overwrite(name: string, at: number): void {
  const bytes = readFileSync(tracesOf(name));
  bytes.fill('#', at, at + 20);
  writeFileSync(tracesOf(name), bytes);
}

test('a cut last line is said by the resume that plays it again', async () => {
  const starts = await played('cut');
  truncateSync(tracesOf('cut'), (starts[3] ?? 0) + 100);
  const { code, stderr } = await vf(['resume', 'cut'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^warning: .*the last line was not whole.*\.cut-\d+ {3}\[store\/damaged\]$/m,
  );
  expect(stderr).toContain('3 done before');
});

test('it is an event too', async () => {
  const starts = await played('cut-json');
  truncateSync(tracesOf('cut-json'), (starts[3] ?? 0) + 100);
  const { stdout } = await vf(['resume', 'cut-json', '--json'], { cwd });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'warning', code: 'store/damaged' }),
  );
});

test('an overwritten line is placed by export, and played again as its advice says', async () => {
  const starts = await played('middle');
  overwrite('middle', (starts[1] ?? 0) + 50);
  const exported = ['export', 'middle', '--to', 'csv', '-o', '-'];
  const { code, stderr } = await vf(exported, { cwd });
  expect(code).not.toBe(0);
  expect(stderr).toContain(`traces.jsonl, the line at byte ${starts[1]}`);
  expect(stderr).toContain('vf resume middle --check');
  const resumed = await vf(['resume', 'middle', '--check'], { cwd });
  expect(resumed.stderr).toContain(`the line at byte ${starts[1]} cannot be read`);
  expect(resumed.stderr).toContain('3 done before');
  const after = await vf(exported, { cwd });
  expect(after.code).toBe(0);
  expect(after.stdout.trimEnd().split('\n')).toHaveLength(5);
});

test('without an index, what cannot be read is told by every view', async () => {
  const starts = await played('shown');
  overwrite('shown', (starts[1] ?? 0) + 50);
  rmSync(join(cwd, 'outputs/shown/traces.index.jsonl'));
  for (const command of [
    ['show', 'shown'],
    ['export', 'shown', '--to', 'csv', '-o', '-'],
    ['compare', 'shown', 'shown'],
  ]) {
    const { stderr } = await vf(command, { cwd });
    expect(stderr).toContain(`the line at byte ${starts[1]} cannot be read`);
    expect(stderr).toContain('fix: vf resume shown');
  }
  expect((await vf(['resume', 'shown'], { cwd })).stderr).toContain('3 done before');
  expect((await vf(['show', 'shown'], { cwd })).stderr).not.toContain('cannot be read');
});

test('a folder or a device where the traces were is told by every command, and nothing is lost', async () => {
  await played('odd');
  const kept = `${tracesOf('odd')}.kept`;
  renameSync(tracesOf('odd'), kept);
  const commands = [
    ['show', 'odd', 'addition-1:1'],
    ['resume', 'odd'],
    ['rescore', 'odd'],
    ['compare', 'odd', 'odd'],
    ['export', 'odd', '--to', 'csv', '-o', '-'],
  ];
  for (const make of [mkdirSync, (path: string) => symlinkSync('/dev/full', path)]) {
    make(tracesOf('odd'));
    for (const command of commands) {
      const { code, stderr } = await vf(command, { cwd });
      expect(stderr).toMatch(/^vf: .*traces\.jsonl is a (folder|device), not a file$/m);
      expect(stderr).toMatch(/^ {2}fix: move it away.* \[store\/damaged\]$/m);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(code).toBe(2);
    }
    expect((await vf(['show'], { cwd })).stdout).toMatch(/^odd +/m);
    rmSync(tracesOf('odd'), { recursive: true });
  }
  renameSync(kept, tracesOf('odd'));
  expect((await vf(['resume', 'odd'], { cwd })).stderr).not.toContain('vf:');
});

test('a summary that cannot be written stops the run as a full disk does; a resume writes it', async () => {
  await played('sum');
  const summary = join(cwd, 'outputs/sum/summary.json');
  rmSync(summary);
  mkdirSync(join(summary, 'in'), { recursive: true });
  const { code, stdout, stderr } = await vf(['resume', 'sum'], { cwd });
  expect(code).toBe(4);
  expect(stdout).toContain('reward           1.000');
  expect(stderr).toMatch(/^vf: stopped after 4 of 4: .*summary\.json cannot be written/m);
  expect(stderr).toMatch(/then vf resume sum {3}\[store\/not_writable\]$/m);
  rmSync(summary, { recursive: true });
  expect((await vf(['resume', 'sum'], { cwd })).code).toBe(0);
  expect(JSON.parse(readFileSync(summary, 'utf8'))).toMatchObject({ status: 'complete' });
});
