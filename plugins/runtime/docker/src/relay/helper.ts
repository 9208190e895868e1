import type { ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/** What the host tells the helper, one JSON a line. */
export type Order =
  | { readonly do: 'listen'; readonly id: number }
  | { readonly do: 'close'; readonly id: number }
  | { readonly do: 'dial'; readonly id: number; readonly port: number };

/** What the helper answers to `listen`. */
export interface Listening {
  readonly id: number;
  readonly port: number;
}

/**
 * The program of the relay container, which shares the loopback of a box. Each connection that it accepts or makes
 * there becomes one HTTP/2 stream over its own standard streams, to the host. It is sent as source text, so it may use
 * nothing from outside its body.
 */
export function relayHelper(): void {
  const http2 = process.getBuiltinModule('node:http2');
  const net = process.getBuiltinModule('node:net');
  const { createInterface } = process.getBuiltinModule('node:readline');
  const { Duplex, pipeline } = process.getBuiltinModule('node:stream');
  const windowBytes = 1 << 20;
  const allWindowsBytes = 1 << 28;

  const wire = Duplex.from({ readable: process.stdin, writable: process.stdout });
  const session = http2.connect('http://host', {
    createConnection: () => wire,
    settings: { initialWindowSize: windowBytes },
  });
  // One connection that nobody reads must not hold up the others.
  session.once('connect', () => session.setLocalWindowSize(allWindowsBytes));
  session.on('error', () => {});
  session.on('close', () => process.exit());

  const streamTo = (path: string): ClientHttp2Stream =>
    session.request({ ':method': 'POST', ':path': path }, { endStream: false });
  const join = (socket: Socket, path: string): void => {
    const stream = streamTo(path);
    const done = (): void => {};
    pipeline(socket, stream, done);
    pipeline(stream, socket, done);
  };

  const control = streamTo('/control');
  const servers = new Map<number, ReturnType<typeof net.createServer>>();
  const listen = (id: number): void => {
    const server = net.createServer({ allowHalfOpen: true }, (socket) => {
      join(socket, `/accepted/${id}`);
    });
    servers.set(id, server);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      control.write(`${JSON.stringify({ id, port })}\n`);
    });
  };
  createInterface({ input: control }).on('line', (line) => {
    const order = JSON.parse(line) as Order;
    if (order.do === 'listen') listen(order.id);
    if (order.do === 'close') servers.get(order.id)?.close();
    if (order.do === 'dial') {
      const socket = net.connect({ port: order.port, host: '127.0.0.1', allowHalfOpen: true });
      join(socket, `/dialled/${order.id}`);
    }
  });
}
