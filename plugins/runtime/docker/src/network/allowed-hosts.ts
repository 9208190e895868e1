import { BlockList, isIP } from 'node:net';

/** Ranges that lead to this machine or its neighbours. Source: IANA special-purpose address registries. */
const ranges: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const special = new BlockList();
for (const [network, prefix, family] of ranges) special.addSubnet(network, prefix, family);

/** Is a host on the list? An entry is a name, `*.name` for all below it, or an address; case does not count. */
export function isAllowed(host: string, allowed: readonly string[]): boolean {
  const wanted = plain(host);
  return allowed.some((entry) => {
    const name = plain(entry);
    return name.startsWith('*.') ? wanted.endsWith(name.slice(1)) : wanted === name;
  });
}

/** An address outside all private ranges: what the name of an allowed host may stand for. */
export function isGlobal(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isGlobal(mapped);
  return !special.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function plain(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
