import type { BoxSpec } from '@vf/core';
import type { Config } from '../config.ts';
import { limitsOf } from '../box/limits.ts';
import { privilegesOf } from '../box/privileges.ts';
import type {
  ComposeDeploy,
  ComposeFile,
  ComposeModel,
  ComposeService,
  ComposeVolume,
} from './model.ts';
import { mainService } from './read-set.ts';
import { coresOf, withLimits } from './service-limits.ts';

/** What a set is made to fit. */
export interface Fitting {
  readonly project: string;
  readonly spec: BoxSpec<Config>;
  readonly config: Config;
  /** Image of each service, by its name. */
  readonly images: Readonly<Record<string, string>>;
  readonly labels: (part: 'box' | 'service') => Record<string, string>;
  /** A folder of this machine, or a volume that is there. */
  readonly toolbox: { readonly type: string; readonly source: string; readonly target: string };
  /** Networks lead nowhere outside the set. */
  readonly closed: boolean;
}

/** Keeps what a talkative service logs within bounds. */
const logging = { driver: 'json-file', options: { 'max-size': '16m', 'max-file': '2' } };

/**
 * The set as it is started: names, ports and restarts that would touch the host or other rollouts are taken out, images
 * are those that were pulled or built, and `main` gets limits, user and environment of the box.
 */
export function fitSet(model: ComposeModel, fitting: Fitting): ComposeModel {
  const { project, labels, closed, toolbox } = fitting;
  const own = labels('service');
  const services = Object.entries(model.services).map(([name, service]) => {
    const bounded = withLimits(service, fitting.config);
    const fitted = name === mainService ? fitMain(bounded, fitting) : fitSidecar(bounded, fitting);
    return [name, { ...fitted, image: fitting.images[name] ?? fitted.image }];
  });
  return {
    ...model,
    name: project,
    services: Object.fromEntries(services) as ComposeModel['services'],
    networks: mapValues(model.networks, (network) => {
      if (network?.external === true) return network;
      const { name: _name, ...rest } = network ?? {};
      const always = rest.internal === true ? { [alwaysClosedLabel]: 'true' } : {};
      const isolated = closed || rest.internal === true ? closedNetwork : {};
      return { ...rest, ...isolated, labels: { ...rest.labels, ...own, ...always } };
    }),
    volumes: {
      ...mapValues(model.volumes, (volume) => {
        if (volume?.external === true) return volume;
        const { name: _name, ...rest } = volume ?? {};
        return { ...rest, labels: { ...rest.labels, ...own } };
      }),
      ...(toolbox.type === 'volume' ? { [toolbox.source]: outside(toolbox.source) } : {}),
    },
    configs: mapValues(model.configs, unnamed),
    secrets: mapValues(model.secrets, unnamed),
  };
}

/** On networks that the files themselves call internal. */
export const alwaysClosedLabel = 'vf.closed';

/** No way out, and no address of the host on it. */
export const isolation = { 'com.docker.network.bridge.inhibit_ipv4': 'true' };
const closedNetwork = { internal: true, driver_opts: isolation };

function fitSidecar(service: ComposeService, { config, labels }: Fitting): ComposeService {
  return {
    logging,
    ...contained(service, config),
    labels: { ...service.labels, ...labels('service') },
  };
}

function fitMain(service: ComposeService, fitting: Fitting): ComposeService {
  const { spec, config, labels, toolbox } = fitting;
  const { deploy, ...rest } = contained(service, config);
  const { memory, cpu, gpus } = limitsOf(spec, config);
  const told = deploy?.resources?.limits ?? {};
  const bytes = memory ?? service.mem_limit ?? told.memory;
  const cores = cpu ?? coresOf(service);
  return {
    ...rest,
    init: true,
    restart: 'no',
    scale: 1,
    pids_limit: config.pids,
    ...(service['shm_size'] === undefined ? { shm_size: `${config.shm_mb}m` } : {}),
    logging: { driver: 'json-file', options: { 'max-size': '64k', 'max-file': '1' } },
    labels: { ...service.labels, ...labels('box') },
    environment: { ...service.environment, ...escaped(spec.env ?? {}) },
    volumes: [...(rest.volumes ?? []), { ...toolbox, read_only: true }],
    ...(spec.user === undefined ? {} : { user: String(spec.user) }),
    ...(bytes === undefined ? {} : { mem_limit: String(bytes), memswap_limit: String(bytes) }),
    ...(cores === undefined ? {} : { cpus: cores }),
    ...(gpus === 0 ? {} : { deploy: gpuDeploy(gpus) }),
  };
}

function contained(service: ComposeService, config: Config): ComposeService {
  const {
    build: _build,
    container_name: _name,
    ports: _ports,
    pull_policy: _policy,
    env_file: _files,
    ...others
  } = service;
  const rest = { ...others, ...rightsOf(config) };
  if (config.trust_compose || rest.volumes === undefined) return rest;
  // A box must not change the task that other rollouts play.
  const volumes = rest.volumes.map((mount) =>
    mount.type === 'bind' ? { ...mount, read_only: true } : mount,
  );
  return { ...rest, volumes };
}

function rightsOf(config: Config): Partial<ComposeService> {
  const rights = privilegesOf(config);
  if (rights === null) return {};
  return { cap_drop: rights.drop, cap_add: rights.add, security_opt: rights.security };
}

function gpuDeploy(count: number): ComposeDeploy {
  const devices = [{ capabilities: ['gpu'], driver: 'nvidia', count }];
  return { resources: { reservations: { devices } } };
}

/** Compose takes a `$` for the start of a variable. */
function escaped(env: Readonly<Record<string, string>>): Record<string, string> {
  return mapValues(env, (value) => value.replaceAll('$', '$$$$')) ?? {};
}

/** A volume that is not the set's to make or remove. */
const outside = (name: string): ComposeVolume => ({ name, external: true });

function unnamed(value: ComposeFile): ComposeFile {
  if (value.external === true) return value;
  const { name: _name, ...rest } = value;
  return rest;
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>> | undefined,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record ?? {}).map(([k, v]) => [k, change(v)]));
}
