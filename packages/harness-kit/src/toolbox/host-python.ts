import { execFile } from 'node:child_process';

/** An interpreter of this machine and where its parts lie. */
export interface HostPython {
  readonly executable: string;
  /** `3.13` */
  readonly version: string;
  readonly stdlib: string;
  /** Compiled modules of the standard library. */
  readonly dynload: string;
}

const question = `
import json, os, sys, sysconfig
json.dump({
    "executable": os.path.realpath(sys.executable),
    "version": "%d.%d" % sys.version_info[:2],
    "stdlib": sysconfig.get_path("stdlib"),
    "dynload": sysconfig.get_config_var("DESTSHARED"),
}, sys.stdout)
`;

/** The newest Python on PATH that is at least `oldest` (as `3.10`); null when there is none. */
export async function hostPython(oldest: string, signal: AbortSignal): Promise<HostPython | null> {
  for (const name of ['python3.13', 'python3.12', 'python3.11', 'python3.10', 'python3']) {
    const found = await ask(name, signal);
    if (found !== null && minorOf(found.version) >= minorOf(oldest)) return found;
  }
  return null;
}

const minorOf = (version: string): number => Number(version.split('.')[1]);

/** A name may be there and still start nothing: version managers have stubs for what they could run. */
function ask(name: string, signal: AbortSignal): Promise<HostPython | null> {
  return new Promise((resolve, reject) => {
    execFile(name, ['-I', '-c', question], { signal }, (error, stdout) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(error === null ? (JSON.parse(stdout) as HostPython) : null);
    });
  });
}
