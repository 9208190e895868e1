import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

/** Node's own, kept for the next start. */
const compileCache = 'node-compile-cache';

/** What a process of vf has left of containers, networks and volumes, and what lies in the folder for its temporary files. */
export function leftOver(pid: number, temporary: string): string[] {
  const filter = ['--filter', `label=vf.maker.pid=${pid}`];
  return [
    ...docker('ps', '-aq', ...filter).map((id) => `container ${id}`),
    ...docker('network', 'ls', '-q', ...filter).map((id) => `network ${id}`),
    ...docker('volume', 'ls', '-q', ...filter).map((id) => `volume ${id}`),
    ...readdirSync(temporary)
      .filter((name) => name !== compileCache)
      .map((name) => `folder ${name}`),
  ];
}

function docker(...args: string[]): string[] {
  const listed = execFileSync('docker', args, { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line !== '');
}
