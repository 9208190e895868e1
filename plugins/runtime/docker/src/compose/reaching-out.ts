import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ComposeModel, ComposeService } from './model.ts';
import type { ReadSet } from './read-set.ts';

/** Values of these let a service out of its container; the patterns say which. */
const strong: Readonly<Record<string, RegExp>> = {
  privileged: /^true$/,
  network_mode: /^(?:host|container:)/,
  pid: /^(?:host|container:)/,
  ipc: /^(?:host|container:)/,
  uts: /^host/,
  userns_mode: /^host/,
  cgroup: /^host/,
  cgroup_parent: /./,
  devices: /./,
  device_cgroup_rules: /./,
  runtime: /./,
  use_api_socket: /^true$/,
  volumes_from: /container:/,
  security_opt: /unconfined|label|systempaths/,
  provider: /./,
  post_start: /"privileged":true/,
  pre_stop: /"privileged":true/,
  cap_add: /ALL|SYS_|MKNOD|DAC_READ_SEARCH|BPF|PERFMON/,
};

/**
 * What of a set leads beyond its containers and its folder: files, devices and networks of the host, privileges. Each
 * as `service: what`.
 */
export function reachingOut({ model, raw }: ReadSet, folder: string): string[] {
  const leaves = leavesOf(folder);
  const services = Object.entries(model.services).flatMap(([name, service]) =>
    [...privileges(service), ...paths(service, raw.services[name], leaves)].map(
      (what) => `${name}: ${what}`,
    ),
  );
  return [...services, ...shared(model, leaves)];
}

function privileges(service: ComposeService): string[] {
  return Object.entries(strong).flatMap(([field, pattern]) => {
    const value = service[field];
    if (value === undefined || value === null) return [];
    const told = Array.isArray(value) || typeof value === 'object' ? value : [value];
    const words = Object.values(told).map((word) =>
      typeof word === 'string' ? word : JSON.stringify(word),
    );
    return words.filter((word) => pattern.test(word)).map((word) => `${field} ${word}`);
  });
}

function paths(
  service: ComposeService,
  raw: ComposeService | undefined,
  leaves: (path: string) => boolean,
): string[] {
  const mounts = (service.volumes ?? [])
    .filter(({ type, source = '' }) => type === 'npipe' || (type === 'bind' && leaves(source)))
    .map(({ source }) => `mount of ${source}`);
  const { context } = service.build ?? {};
  const builds = context !== undefined && leaves(context) ? [`build of ${context}`] : [];
  const files = (raw?.env_file ?? [])
    .map((entry) => (typeof entry === 'string' ? entry : entry.path))
    // What a variable leads to is not known here.
    .filter((path) => path.includes('$') || leaves(path))
    .map((path) => `env_file ${path}`);
  return [...mounts, ...builds, ...files];
}

function shared(
  { networks, volumes, configs, secrets }: ComposeModel,
  leaves: (path: string) => boolean,
): string[] {
  return [
    ...named('network', networks, ({ external, driver }) => {
      return external === true || !['bridge', undefined].includes(driver);
    }),
    ...named('volume', volumes, ({ external, driver_opts }) => {
      return external === true || Object.keys(driver_opts ?? {}).length > 0;
    }),
    ...named('config', configs, ({ file }) => file !== undefined && leaves(file)),
    ...named('secret', secrets, ({ file }) => file !== undefined && leaves(file)),
  ];
}

function named<Value extends { readonly external?: boolean }>(
  kind: string,
  all: Readonly<Record<string, Value | null>> | undefined,
  isForeign: (value: Value) => boolean,
): string[] {
  return Object.entries(all ?? {})
    .filter(([, value]) => value !== null && isForeign(value))
    .map(([name]) => `${kind} ${name}`);
}

/** Links are followed: what they lead to is what a box would see. */
function leavesOf(folder: string): (path: string) => boolean {
  const root = real(folder);
  return (path) => {
    const way = relative(root, real(resolve(root, path)));
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  };
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
