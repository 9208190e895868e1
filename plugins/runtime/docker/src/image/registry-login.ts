import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** As the engine wants it with a pull. */
export interface RegistryLogin {
  readonly username: string;
  readonly password: string;
  readonly serveraddress: string;
  /** In place of a password, when a helper gives a token. */
  readonly identitytoken?: string;
}

interface DockerConfig {
  readonly auths?: Readonly<Record<string, { readonly auth?: string }>>;
  readonly credHelpers?: Readonly<Record<string, string>>;
  readonly credsStore?: string;
}

const hub = 'https://index.docker.io/v1/';

/** What `docker login` has kept for the registry of an image; null: nothing. Source: docker login reference, config.json. */
export async function registryLogin(image: string): Promise<RegistryLogin | null> {
  const registry = registryOf(image);
  const config = await readConfig();
  const helper = config.credHelpers?.[registry] ?? config.credsStore;
  if (helper !== undefined) {
    const told = await askHelper(helper, registry);
    if (told !== null) return told;
  }
  const auth = config.auths?.[registry]?.auth;
  if (auth === undefined) return null;
  const [username = '', ...password] = Buffer.from(auth, 'base64').toString().split(':');
  return { username, password: password.join(':'), serveraddress: registry };
}

/** Host of an image's registry, as Docker's configuration calls it. */
export function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return isHost && first !== 'docker.io' ? first : hub;
}

async function readConfig(): Promise<DockerConfig> {
  const folder = process.env['DOCKER_CONFIG'] ?? join(homedir(), '.docker');
  try {
    return JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')) as DockerConfig;
  } catch {
    return {};
  }
}

async function askHelper(name: string, registry: string): Promise<RegistryLogin | null> {
  const helper = spawn(`docker-credential-${name}`, ['get'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  helper.on('error', () => {});
  helper.stdin.on('error', () => {}).end(registry);
  try {
    const told = JSON.parse(await text(helper.stdout)) as { Username: string; Secret: string };
    const login = { username: told.Username, password: told.Secret, serveraddress: registry };
    return told.Username === '<token>'
      ? { ...login, username: '', password: '', identitytoken: told.Secret }
      : login;
  } catch {
    return null;
  }
}
