import { execFile } from 'node:child_process';
import { copyFile, cp, glob, mkdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { lastLines } from '../cli/last-lines.ts';
import { hostPython } from './host-python.ts';
import type { HostPython } from './host-python.ts';
import { writeLauncher } from './launcher.ts';
import { bringLibraries } from './libraries.ts';
import type { PythonProgram } from './package-of-program.ts';

/**
 * Fills a toolbox folder with a Python, what it is linked to, and a package with all that it needs.
 * @throws VfError harness/install_failed
 */
export async function installPython(
  dir: string,
  program: PythonProgram,
  signal: AbortSignal,
): Promise<void> {
  const host = await hostPython(program.python, signal);
  if (host === null) throw noPython(program);
  const home = join(dir, 'python');
  const modules = join(home, 'lib', `python${host.version}`);
  const packages = join(modules, 'site-packages');
  await mkdir(packages, { recursive: true });
  // Debian's Python looks there.
  await symlink('site-packages', join(modules, 'dist-packages'));
  await installPackage(program, host, packages, signal);
  await copyStdlib(host, modules);

  const executable = join(home, 'bin', basename(host.executable));
  await mkdir(join(home, 'bin'));
  await copyFile(host.executable, executable);
  const compiled = await Array.fromAsync(glob('**/*.so', { cwd: modules }), (path) =>
    join(modules, path),
  );
  const loader = await bringLibraries(dir, [host.executable, ...compiled], signal);

  // Neither variables nor folders of the box decide what it loads, and it writes nothing beside what it loads.
  const args = ['-I', '-B'];
  await writeLauncher(dir, { name: 'python', program: executable, loader, args });
  await writeLauncher(dir, {
    name: program.script,
    program: executable,
    loader,
    args: [...args, '-c', startOf(program.script)],
  });
}

/** A console script as its package declares it, with nothing of the place where it was installed. */
function startOf(script: string): string {
  return [
    'import sys',
    'from importlib.metadata import entry_points',
    `sys.argv[0] = '${script}'`,
    `sys.exit(next(iter(entry_points(group='console_scripts', name='${script}'))).load()())`,
  ].join('; ');
}

const leftOut =
  /^(?:test|idlelib|tkinter|turtledemo|ensurepip|lib2to3|(?:site|dist)-packages|config-\d.*|_tkinter\..*|_test.*\.so|_ctypes_test.*)$/;

async function copyStdlib({ stdlib, dynload }: HostPython, to: string): Promise<void> {
  const filter = (path: string): boolean => !leftOut.test(basename(path));
  // Times are kept: by them Python knows its compiled files.
  const options = { recursive: true, dereference: true, preserveTimestamps: true, filter };
  await cp(stdlib, to, options);
  await cp(dynload, join(to, 'lib-dynload'), options);
}

async function installPackage(
  program: PythonProgram,
  { executable }: HostPython,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const spec = `${program.package}==${program.version}`;
  const uv = ['pip', 'install', '--quiet', '--python', executable, '--target', target, spec];
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  const failed =
    (await run('uv', uv, signal)) ??
    (await run(executable, [...pip, '--target', target, spec], signal));
  if (failed !== '') throw installError(program, failed ?? 'there is neither uv nor pip');
}

/** @returns last words of what failed; '' when nothing did, null when there is no such program */
function run(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { signal, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      if (signal.aborted) return reject(signal.reason);
      if (error === null) return resolve('');
      if (error.code === 'ENOENT' || /No module named pip/.test(stderr)) return resolve(null);
      resolve(lastLines(stderr) || lastLines(stdout) || error.message);
    });
  });
}

function noPython({ name, python }: PythonProgram): VfError {
  const message = `${name} needs Python ${python} or newer on this machine, and there is none on PATH`;
  return new VfError('harness/install_failed', message, { hint: 'uv python install 3.13' });
}

function installError({ name, version, package: wanted }: PythonProgram, words: string): VfError {
  const message = `${name} ${version} could not be installed; the last lines:\n${words}`;
  return new VfError('harness/install_failed', message, { hint: hintFor(words, wanted) });
}

function hintFor(words: string, wanted: string): string {
  if (/neither uv nor pip/.test(words)) return 'install uv, or pip for this Python';
  if (/No matching distribution|No solution found/i.test(words)) {
    return `see which versions there are: pip index versions ${wanted}`;
  }
  if (/No space left/.test(words)) return 'free some disk, or set VF_CACHE_DIR to another one';
  return `try it by hand: pip install ${wanted}`;
}
