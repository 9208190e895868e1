import { VfError } from '@vf/core/errors';

/** Where a server listens: a Unix socket, or a port; port 0 is any free one. */
export type Place = { readonly path: string } | { readonly host: string; readonly port: number };

/** What else to type after --bind. */
export const bindHint = '--bind tcp://127.0.0.1:5001, or tcp://127.0.0.1:0 for any free port';

/** Reads `tcp://HOST:PORT`, where `*` is any, or `ipc://PATH`. @throws VfError usage/invalid for what is no address */
export function parseAddress(address: string): Place {
  const [, path] = /^ipc:\/\/(.+)$/.exec(address) ?? [];
  if (path !== undefined) return { path };
  const match = /^tcp:\/\/(?:\[(.+)\]|([^[\]]+)):(\d+|\*)$/.exec(address);
  if (match === null) throw noAddress(address, 'it is no tcp://HOST:PORT and no ipc://PATH');
  const [, six, four, port] = match;
  const host = six ?? four ?? '';
  const number = port === '*' ? 0 : Number(port);
  if (number > 65_535) throw noAddress(address, 'ports go from 0 to 65535');
  return { host: host === '*' ? '0.0.0.0' : host, port: number };
}

function noAddress(address: string, why: string): VfError {
  return new VfError('usage/invalid', `"${address}" is no address to listen on: ${why}`, {
    hint: bindHint,
  });
}
