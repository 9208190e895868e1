import { BrokenPeer, frameHead } from './frames.ts';

/** What each side says first: signature, version 3.1, mechanism NULL. */
export const greetingLength = 64;

export function greeting(): Buffer {
  const bytes = Buffer.alloc(greetingLength);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes[11] = 1;
  bytes.write('NULL', 12);
  return bytes;
}

/** @throws BrokenPeer for one that speaks no ZMTP 3, or another mechanism */
export function checkGreeting(bytes: Buffer): void {
  if (bytes[0] !== 0xff || bytes[9] !== 0x7f) throw new BrokenPeer('no ZeroMQ');
  const [major = 0] = bytes.subarray(10, 11);
  if (major < 3) throw new BrokenPeer(`ZMTP ${major}, which is older than 3`);
  const mechanism = bytes.subarray(12, 32).toString().replaceAll('\0', '');
  if (mechanism !== 'NULL') throw new BrokenPeer(`the mechanism ${mechanism}`);
}

/** The command that ends the handshake of a ROUTER. */
export function ready(): Buffer {
  return commandFrame(
    'READY',
    Buffer.concat([property('Socket-Type', 'ROUTER'), property('Identity', '')]),
  );
}

/** Sockets that may talk to a ROUTER. */
const partners = new Set(['DEALER', 'REQ', 'ROUTER']);

/** @param body of the peer's READY @throws BrokenPeer for a socket that is no partner of ours */
export function checkReady(body: Buffer): void {
  const type = propertiesOf(body).get('socket-type') ?? '';
  if (!partners.has(type)) throw new BrokenPeer(`a socket of type ${JSON.stringify(type)}`);
}

/** Name and data of a command. @throws BrokenPeer */
export function readCommand(body: Buffer): { readonly name: string; readonly data: Buffer } {
  const [length = 0] = body;
  if (body.length < 1 + length) throw new BrokenPeer('a command without a name');
  return { name: body.toString('latin1', 1, 1 + length), data: body.subarray(1 + length) };
}

/** The answer to a PING, with the context that it came with. */
export function pong(data: Buffer): Buffer {
  return commandFrame('PONG', data.subarray(2, 18));
}

function commandFrame(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), data]);
  return Buffer.concat([frameHead(body.length, 'command'), body]);
}

function property(name: string, value: string): Buffer {
  const head = Buffer.from([name.length, ...Buffer.from(name), 0, 0, 0, value.length]);
  return Buffer.concat([head, Buffer.from(value)]);
}

function propertiesOf(data: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < data.length;) {
    const name = slice(data, at + 1, data[at] ?? 0);
    at += 1 + name.length;
    const value = slice(data, at + 4, at + 4 > data.length ? 0 : data.readUInt32BE(at));
    at += 4 + value.length;
    found.set(name.toString('latin1').toLowerCase(), value.toString('latin1'));
  }
  return found;
}

function slice(data: Buffer, start: number, length: number): Buffer {
  if (start + length > data.length) throw new BrokenPeer('a property that ends too early');
  return data.subarray(start, start + length);
}
