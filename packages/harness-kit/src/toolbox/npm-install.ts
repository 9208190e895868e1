import { execFile } from 'node:child_process';
import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { lastLines } from '../cli/last-lines.ts';
import type { NpmProgram } from './package-of-program.ts';

type Wanted = Pick<NpmProgram, 'name' | 'package' | 'version'>;

/**
 * Installs a package for another platform or this one; scripts of packages are not run.
 * @param beside further packages, as npm spells them: `name@version`
 */
export async function npmInstall(
  wanted: Wanted,
  beside: readonly string[],
  platform: RuntimeApi['platform'],
  dir: string,
  signal: AbortSignal,
): Promise<void> {
  const spec = `${wanted.package}@${wanted.version}`;
  const args = ['install', '--prefix', dir, ...quiet, ...platformFlags(platform), spec, ...beside];
  const ending = await run(args, dir, signal);
  signal.throwIfAborted();
  if (ending !== null) throw installError(wanted, ending);
}

const quiet = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
];

function platformFlags({ os, arch, libc }: RuntimeApi['platform']): readonly string[] {
  return [`--os=${os}`, `--cpu=${arch}`, ...(libc === null ? [] : [`--libc=${libc}`])];
}

interface Failed {
  /** Of the system, when npm could not be started; else null. */
  readonly code: string | null;
  readonly words: string;
}

/** @returns null when npm ended well */
function run(args: readonly string[], cwd: string, signal: AbortSignal): Promise<Failed | null> {
  return new Promise((resolve) => {
    const options = { cwd, env: npmEnvironment(), signal, maxBuffer: 1 << 24 };
    execFile('npm', args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(null);
      const code = typeof error.code === 'string' ? error.code : null;
      resolve({ code, words: lastLines(stderr) || lastLines(stdout) || error.message });
    });
  });
}

/** Options of our own Node are not for npm's, and what pnpm tells its scripts is not for npm. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const ours = ([name]: [string, unknown]): boolean =>
    name !== 'NODE_OPTIONS' &&
    !/^(?:p?npm_config_(?:user_agent|prefix|global)|npm_(?:package|lifecycle)_.*)$/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(ours));
}

function installError(wanted: Wanted, { code, words }: Failed): VfError {
  const what = `${wanted.name} ${wanted.version} could not be installed`;
  if (code === 'ENOENT') {
    return new VfError('harness/install_failed', `${what}: there is no npm on PATH`, {
      hint: 'install Node.js with npm',
    });
  }
  return new VfError('harness/install_failed', `${what}; npm's last lines:\n${words}`, {
    hint: hintFor(words, wanted),
  });
}

function hintFor(words: string, wanted: Wanted): string {
  if (/ETARGET|E404|notarget/.test(words)) {
    return `see which versions there are: npm view ${wanted.package} versions`;
  }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET/.test(words)) {
    return 'the npm registry is not reached; set a registry or proxy for npm, or try again';
  }
  if (/ENOSPC/.test(words)) return 'free some disk, or set VF_CACHE_DIR to another one';
  return `try it by hand: npm install ${wanted.package}@${wanted.version}`;
}
