import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';

const docker = (...args: string[]) =>
  execFileSync('docker', args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** What there is of containers, networks, volumes and temporary folders of vf. */
export function standing(): ReadonlySet<string> {
  return new Set([
    ...docker('ps', '-aq', '--filter', 'label=vf.run').map((id) => `container ${id}`),
    ...docker('network', 'ls', '-q').map((id) => `network ${id}`),
    ...docker('volume', 'ls', '-q').map((id) => `volume ${id}`),
    ...readdirSync(tmpdir())
      .filter((name) => name.startsWith('vf-'))
      .map((name) => `folder ${name}`),
  ]);
}

/** Those of now that were not there before. */
export function leftOver(before: ReadonlySet<string>): string[] {
  return [...standing()].filter((one) => !before.has(one));
}
