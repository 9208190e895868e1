import type { Config } from '../config.ts';
import type { ComposeService } from './model.ts';

/** Cores that files give a service, in either of the two places that compose knows. */
export function coresOf({ cpus, deploy }: ComposeService): number | undefined {
  const told = cpus ?? deploy?.resources?.limits?.cpus;
  return told === undefined ? undefined : Number(told);
}

/**
 * The service with the options' bound of processes, and with no more cores than they allow. Compose takes limits from one
 * of its two places alone: `deploy` where the files have some there.
 */
export function withLimits(service: ComposeService, { max_cpu, pids }: Config): ComposeService {
  const own = coresOf(service);
  const cores = own === undefined ? {} : { cpus: Math.min(own, max_cpu ?? own) };
  const { cpus: _cpus, pids_limit: _pids, ...rest } = service;
  const limits = rest.deploy?.resources?.limits;
  if (limits === undefined) return { ...rest, ...cores, pids_limit: pids };
  const resources = { ...rest.deploy?.resources, limits: { ...limits, ...cores, pids } };
  return { ...rest, deploy: { ...rest.deploy, resources } };
}
