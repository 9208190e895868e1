import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginEntry } from '@vf/plugin-host';
import { checkFiles } from './check-files.ts';
import { checkExports, checkManifest } from './check-manifest.ts';
import { installIn, publishedManifest } from './consumer.ts';
import type { Consumer } from './consumer.ts';
import { ok, problem } from './finding.ts';
import type { Finding } from './finding.ts';
import { pack } from './pack.ts';
import { play } from './play.ts';
import type { Plugin } from './play.ts';
import { lastWords } from './run-program.ts';

export interface Examination {
  /** Folder of the package. */
  readonly dir: string;
  readonly name: string;
  /** An empty folder for all that is made. */
  readonly scratch: string;
  readonly flags: readonly string[];
  readonly signal: AbortSignal;
  onFinding(finding: Finding): void;
}

/** What somebody who installs the package would meet, one finding after the other; goes as far as it can. */
export async function examine(examination: Examination): Promise<void> {
  const { dir, name, scratch, flags, signal, onFinding } = examination;
  const packs = join(scratch, 'packed');
  const project = join(scratch, 'project');
  await Promise.all([mkdir(packs), mkdir(project)]);
  const packed = await pack(dir, packs, signal);
  onFinding(packed.finding);
  if (packed.tarball === null) return;
  const { consumer, finding } = await installIn(project, {
    name,
    source: dir,
    tarball: packed.tarball,
    signal,
  });
  onFinding(finding);
  if (consumer === null) return;
  const entries = await listed(consumer, name);
  const manifest = publishedManifest(consumer);
  const findings = [
    ...checkManifest(manifest, entries),
    ...checkExports(manifest, consumer.packageDir),
    ...(await checkFiles(manifest, consumer.packageDir)),
  ];
  findings.forEach(onFinding);
  for (const { kind, id } of entries) {
    if (kind === null || id === null) continue;
    const plugin = { kind, id, package: name };
    const loaded = await load(consumer, plugin);
    onFinding(loaded);
    if (loaded.state === 'ok') (await play(consumer, plugin, flags)).forEach(onFinding);
  }
}

async function listed({ vf }: Consumer, name: string): Promise<PluginEntry[]> {
  const { stdout } = await vf(['plugins', 'list', '--json']);
  const { plugins } = JSON.parse(stdout) as { readonly plugins: readonly PluginEntry[] };
  return plugins.filter((entry) => entry.package === name);
}

async function load({ vf }: Consumer, { kind, id, package: name }: Plugin): Promise<Finding> {
  const ended = await vf(['plugins', 'show', `${name}#${id}`, '--kind', kind]);
  return ended.code === 0
    ? ok('load', `${kind} ${id} loads`)
    : problem('load', `${kind} ${id} does not load:\n    | ${lastWords(ended)}`);
}
