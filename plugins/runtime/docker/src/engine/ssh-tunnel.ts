import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { VfError } from '@vf/core/errors';

const open = new Map<string, Promise<string>>();
const defaultRemote = '/var/run/docker.sock';
const ready = 'vf-tunnel-is-open';

/** Where this process finds the engine of an ssh address once its tunnel is open. */
export function tunnelSocket(address: string): string {
  const name = createHash('sha256').update(address).digest('hex').slice(0, 12);
  return join(tmpdir(), `vf-ssh-${process.pid}-${name}`, 'engine.sock');
}

/**
 * Forwards a socket of this machine to the engine's over one connection of the `ssh` program, so that its keys, agent,
 * known hosts and configuration count. It ends with this process, however that ends: the far side waits on our end of
 * its stdin.
 * @param address `ssh://[user@]host[:port][/path/of/docker.sock]`
 * @returns DOCKER_HOST of the near end
 * @throws VfError runtime/engine_gone with the words of ssh
 */
export function openTunnel(address: string): Promise<string> {
  let tunnel = open.get(address);
  if (tunnel === undefined) {
    tunnel = connect(address);
    open.set(address, tunnel);
    tunnel.catch(() => {});
  }
  return tunnel;
}

async function connect(address: string): Promise<string> {
  const near = tunnelSocket(address);
  const forget = (): void => {
    open.delete(address);
    rmSync(dirname(near), { recursive: true, force: true });
  };
  forgetDead();
  mkdirSync(dirname(near), { mode: 0o700, recursive: true });
  process.once('exit', forget);
  const child = spawn('ssh', sshArguments(address, near), { stdio: 'pipe' });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  let words = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes(ready)) resolve(`unix://${near}`);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-1000);
  });
  child.once('error', (error) => reject(away(address, error.message)));
  child.once('close', (code) => {
    process.off('exit', forget);
    forget();
    reject(away(address, words.trim() || `ssh ended with exit code ${code}`));
  });
  try {
    return await promise;
  } finally {
    // It must not keep this process from ending.
    for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref();
    child.unref();
  }
}

/** Removes what killed processes have left. */
function forgetDead(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^vf-ssh-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function sshArguments(address: string, near: string): string[] {
  const { hostname, port, username, pathname } = new URL(address);
  const far = pathname === '' || pathname === '/' ? defaultRemote : pathname;
  const options = {
    BatchMode: 'yes',
    ConnectTimeout: '30',
    ExitOnForwardFailure: 'yes',
    ServerAliveInterval: '15',
    ControlPath: 'none',
  };
  return [
    '-T',
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...(port === '' ? [] : ['-p', port]),
    ...(username === '' ? [] : ['-l', decodeURIComponent(username)]),
    '-L',
    `${near}:${far}`,
    hostname,
    `echo ${ready}; exec cat`,
  ];
}

function away(address: string, words: string): VfError {
  return new VfError('runtime/engine_gone', `no way to the engine at ${address}: ${words}`, {
    retryable: false,
    hint: `see that \`ssh\` gets to that host without a question, and that its user may use the socket of Docker there`,
  });
}
