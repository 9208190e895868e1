import { isIP } from 'node:net';
import { z } from '@vf/core';
import type { NetworkPolicy } from '@vf/core';

/** Lower case, without the dot at the end. */
function plainHost(host: string): string {
  return host.trim().toLowerCase().replace(/\.$/, '');
}

const label = '[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?';
const name = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*$`);

/** A host, `*.host`, an address or a range of them; no URL, port, path or wildcard further in. */
function isHost(text: string): boolean {
  const host = plainHost(text);
  if (isIP(host) !== 0) return true;
  const [address = '', bits, ...more] = host.split('/');
  const family = isIP(address);
  if (bits !== undefined) {
    const isRange = family !== 0 && /^\d{1,3}$/.test(bits) && more.length === 0;
    return isRange && Number(bits) <= (family === 4 ? 32 : 128);
  }
  return name.test(host);
}

/** The two keys of every table that may set a policy. */
export const networkKeys = {
  network_mode: z.enum(['public', 'no-network', 'allowlist']).optional(),
  allowed_hosts: z
    .array(
      z
        .string()
        .refine(isHost, 'no URL, port, path or inner wildcard: a host, *.host, address or range'),
    )
    .optional(),
};

interface NetworkTable {
  readonly network_mode?: NetworkPolicy['mode'] | undefined;
  readonly allowed_hosts?: readonly string[] | undefined;
}

export function hostsNeedAllowlist({ network_mode: mode, allowed_hosts: hosts }: NetworkTable) {
  return hosts === undefined || mode === 'allowlist';
}

/** The policy that a table sets; null when it sets none. */
export function policyOf({
  network_mode: mode,
  allowed_hosts: hosts,
}: NetworkTable): NetworkPolicy | null {
  if (mode === undefined) return null;
  return mode === 'allowlist' ? { mode, hosts: (hosts ?? []).map(plainHost) } : { mode };
}

export function samePolicy(a: NetworkPolicy, b: NetworkPolicy): boolean {
  const hosts = (policy: NetworkPolicy) =>
    'hosts' in policy ? policy.hosts.toSorted().join(' ') : '';
  return a.mode === b.mode && hosts(a) === hosts(b);
}
