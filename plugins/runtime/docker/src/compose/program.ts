import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { VfError } from '@vf/core/errors';
import type { Engine } from '../engine/engine.ts';

/** How compose ended. */
export interface ComposeAnswer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ComposeCall {
  readonly engine: Engine;
  readonly args: readonly string[];
  readonly stdin: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const graceMs = 5000;
/** Where Docker's own CLI looks for its plugins. Source: docker/cli, cli-plugins/manager. */
const pluginFolders: readonly string[] = [
  '/usr/local/lib/docker/cli-plugins',
  '/usr/local/libexec/docker/cli-plugins',
  '/usr/lib/docker/cli-plugins',
  '/usr/libexec/docker/cli-plugins',
  '/Applications/Docker.app/Contents/Resources/cli-plugins',
];

/**
 * Path of compose v2: Docker's plugin, which also runs by itself, or the program of the same name.
 * @throws VfError misfit/plan when there is none, with what to install
 */
export async function composeProgram(shared = pluginFolders): Promise<string> {
  const own = join(process.env['DOCKER_CONFIG'] ?? join(homedir(), '.docker'), 'cli-plugins');
  const folders = [own, ...shared, ...(process.env['PATH'] ?? '').split(delimiter)];
  const others: string[] = [];
  for (const folder of folders) {
    const path = join(folder, 'docker-compose');
    const version = existsSync(path) ? await versionOf(path) : null;
    if (version === null) continue;
    if (Number.parseInt(version, 10) >= 2) return path;
    others.push(`${path} is ${version}`);
  }
  const found = others.length === 0 ? 'it is not installed' : others.join(', ');
  throw new VfError('misfit/plan', `compose files need Docker Compose v2; ${found}`, {
    retryable: false,
    hint: 'install the package docker-compose-plugin (Debian: docker-compose 2 or newer), or put the program docker-compose of github.com/docker/compose/releases into ~/.docker/cli-plugins',
  });
}

const versions = new Map<string, Promise<string | null>>();

function versionOf(path: string): Promise<string | null> {
  let version = versions.get(path);
  if (version === undefined) {
    version = promisify(execFile)(path, ['version', '--short']).then(
      ({ stdout }) => stdout.trim().replace(/^v/, ''),
      () => null,
    );
    versions.set(path, version);
  }
  return version;
}

/**
 * Runs compose to its end; an abort ends it. It knows no variable of this process but where programs and its own
 * settings are, so no file can take a secret into a box.
 */
export async function compose(call: ComposeCall): Promise<ComposeAnswer> {
  const path = await composeProgram();
  call.signal.throwIfAborted();
  const child = spawn(path, [...call.args], { env: await environmentOf(call) });
  const end = (): void => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
  };
  call.signal.addEventListener('abort', end, { once: true });
  try {
    child.stdin.on('error', () => {}).end(call.stdin);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    const [exitCode, stdout, stderr] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]);
    call.signal.throwIfAborted();
    return { exitCode, stdout, stderr };
  } finally {
    call.signal.removeEventListener('abort', end);
  }
}

const passedOn = ['PATH', 'HOME', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY'];

async function environmentOf({ engine, variables }: ComposeCall): Promise<Record<string, string>> {
  const own = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...variables, ...Object.fromEntries(own), DOCKER_HOST: await engine.connect() };
}
