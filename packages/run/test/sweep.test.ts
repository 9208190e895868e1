import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PluginHost } from '@vf/plugin-host';
import { expect, onTestFinished, test } from 'vitest';
import { sweepRuntimes } from '../src/sweep.ts';

/** A project with a runtime whose `sweep` is `body`. */
function projectWith(body: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'vf-sweep-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const folder = join(dir, 'node_modules/vf-runtime-cloud');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(dir, 'package.json'),
    JSON.stringify({ name: 'p', dependencies: { 'vf-runtime-cloud': '1.0.0' } }),
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'vf-runtime-cloud',
      version: '1.0.0',
      type: 'module',
      exports: { '.': './index.js' },
      peerDependencies: { '@vf/core': '*' },
      vf: { manifest: 1, contributes: [{ kind: 'runtime', id: 'cloud' }] },
    }),
  );
  writeFileSync(
    join(folder, 'index.js'),
    `export default { kind: 'runtime', specVersion: 1, id: 'cloud', sweep: async () => { ${body} } };`,
  );
  return dir;
}

test('a runtime that cannot be reached is a problem of its own, and no end of the sweep', async () => {
  const cwd = projectWith("throw new Error('no route to the cloud');");
  const host = new PluginHost({ cwd, vfDir: cwd });
  const { signal } = new AbortController();
  const [swept] = await sweepRuntimes(host, { dryRun: true, olderThanMs: 0 }, signal);
  expect(swept).toMatchObject({
    runtime: 'cloud',
    leftovers: [],
    problem: { code: 'runtime/unreachable' },
  });
  expect(swept?.problem?.message).toContain('no route to the cloud');
});
