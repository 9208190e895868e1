import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Dealer, Request, Subscriber } from 'zeromq';
import { FrameReader, frameHead } from '../src/zmtp/frames.ts';
import { greeting, pong, readCommand } from '../src/zmtp/handshake.ts';
import { Router } from '../src/zmtp/router.ts';
import type { Peer } from '../src/zmtp/peer.ts';

/** A router that sends every message back to who sent it. */
async function start(address = 'tcp://127.0.0.1:0', maxBytes = 1e6) {
  const seen: { readonly messages: Buffer[][]; readonly gone: string[] } = {
    messages: [],
    gone: [],
  };
  const router = await Router.bind(address, {
    maxBytes,
    message: (peer: Peer, frames) => {
      seen.messages.push([...frames]);
      peer.send(frames);
    },
    gone: (_peer, reason) => seen.gone.push(reason),
  });
  onTestFinished(() => router.close());
  return { router, seen };
}

function dealer(address: string, options: object = {}): Dealer {
  const socket = new Dealer({ linger: 0, receiveTimeout: 5_000, ...options });
  socket.connect(address);
  onTestFinished(() => socket.close());
  return socket;
}

describe('[serve/zmtp] libzmq talks to our ROUTER', () => {
  test.each([0, 1, 255, 256, 70_000, 900_000])('frames of %d bytes come back', async (length) => {
    const { router } = await start();
    const socket = dealer(router.address);
    const body = Buffer.alloc(length, 7);
    await socket.send(['id', body, '']);
    const frames = await socket.receive();
    expect(frames.map((frame) => frame.length)).toEqual([2, length, 0]);
    expect(frames[1]?.equals(body)).toBe(true);
  });

  test('thousands of messages keep their order', async () => {
    const { router } = await start();
    const socket = dealer(router.address, { sendHighWaterMark: 0, receiveHighWaterMark: 0 });
    const count = 3_000;
    for (let i = 0; i < count; i++) await socket.send([String(i), 'x'.repeat(i)]);
    for (let i = 0; i < count; i++) expect((await socket.receive()).map(String)[0]).toBe(String(i));
  });

  test('its heartbeats are answered, so that it stays', async () => {
    const { router, seen } = await start();
    const socket = dealer(router.address, { heartbeatInterval: 20, heartbeatTimeout: 60 });
    await socket.send('one');
    await socket.receive();
    await sleep(300);
    await socket.send('two');
    expect(String(await socket.receive())).toBe('two');
    expect(seen.gone).toEqual([]);
  });

  test('a socket of another type is turned away, REQ is not', async () => {
    const { router, seen } = await start();
    const subscriber = new Subscriber({ linger: 0 });
    subscriber.connect(router.address);
    subscriber.subscribe();
    onTestFinished(() => subscriber.close());
    const request = new Request({ linger: 0, receiveTimeout: 5_000 });
    request.connect(router.address);
    onTestFinished(() => request.close());
    await request.send('hi');
    expect(String(await request.receive())).toBe('hi');
    expect(seen.messages).toHaveLength(1);
  });

  test('when one closes, that is told at once; what is sent to it is dropped', async () => {
    const { router, seen } = await start();
    const leaving = new Dealer({ linger: 0 });
    leaving.connect(router.address);
    await leaving.send('one');
    await leaving.receive();
    leaving.close();
    await vi.waitUntil(() => seen.gone.length === 1);
    const other = dealer(router.address);
    await other.send('two');
    expect(String(await other.receive())).toBe('two');
  });

  test('over IPv6 and over a Unix socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vf-zmtp-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const address of [`ipc://${join(folder, 'socket')}`, 'tcp://[::1]:0', 'tcp://*:*']) {
      const { router } = await start(address);
      const socket = dealer(router.address.replace('0.0.0.0', '127.0.0.1'), { ipv6: true });
      await socket.send(address);
      expect(String(await socket.receive())).toBe(address);
    }
  });

  test.each([
    'tcp://127.0.0.1',
    'tcp://127.0.0.1:',
    'tcp://127.0.0.1:-1',
    'tcp://127.0.0.1:80x',
    'http://127.0.0.1:1',
    'tcp://127.0.0.1:65536',
    'ipc://',
    '5000',
    '',
  ])('%j is no address', async (address) => {
    await expect(start(address)).rejects.toMatchObject({
      code: 'usage/invalid',
      message: expect.stringContaining(`"${address}"`) as string,
    });
  });

  test.each(['tcp://host.invalid:0', 'tcp://203.0.113.7:1', 'ipc:///proc/nowhere/socket'])(
    '%s, which the system refuses, is told by name',
    async (address) => {
      await expect(start(address)).rejects.toMatchObject({
        code: 'interception/failed',
        message: expect.stringContaining(`${address} cannot be listened on`) as string,
      });
    },
  );
});

/** A connection that says what it is told to. */
async function raw(
  address: string,
): Promise<{ readonly socket: Socket; readonly ended: Promise<unknown> }> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  const ended = once(socket, 'close');
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return { socket, ended };
}

const command = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), data]);
  return Buffer.concat([frameHead(body.length, 'command'), body]);
};
const property = (name: string, value: string): Buffer =>
  Buffer.concat([
    Buffer.from([name.length, ...Buffer.from(name), 0, 0, 0, value.length]),
    Buffer.from(value),
  ]);
const ready = command('READY', property('Socket-Type', 'DEALER'));
const changed = (at: number, ...bytes: number[]): Buffer => {
  const copy = greeting();
  copy.set(bytes, at);
  return copy;
};

describe('[serve/hostile] connections that do not keep to it end alone', () => {
  test.each([
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(9))],
    ['ZMTP 2', changed(10, 2)],
    ['a mechanism with a password', changed(12, ...Buffer.from('PLAIN'))],
    ['a message before READY', Buffer.concat([greeting(), frameHead(1, 'last'), Buffer.of(1)])],
    [
      'another command in its place',
      Buffer.concat([greeting(), command('HELLO', Buffer.alloc(0))]),
    ],
    ['a READY without a type', Buffer.concat([greeting(), command('READY', Buffer.alloc(0))])],
    ['a READY that is cut', Buffer.concat([greeting(), command('READY', Buffer.of(9, 65))])],
    [
      'a command without a name',
      Buffer.concat([greeting(), frameHead(1, 'command'), Buffer.of(9)]),
    ],
    ['reserved flags', Buffer.concat([greeting(), ready, Buffer.of(0xff, 1)])],
    [
      'a frame of 2^60 bytes',
      Buffer.concat([greeting(), ready, Buffer.of(2, 0x10, 0, 0, 0, 0, 0, 0, 0)]),
    ],
    [
      'frames without end',
      Buffer.concat([
        greeting(),
        ready,
        Buffer.concat(Array<Buffer>(2_000).fill(frameHead(0, 'more'))),
      ]),
    ],
  ])('%s', async (_what, bytes) => {
    const { router } = await start('tcp://127.0.0.1:0', 2_000);
    const { socket, ended } = await raw(router.address);
    socket.write(bytes);
    await ended;
    const other = dealer(router.address);
    await other.send('hi');
    expect(String(await other.receive())).toBe('hi');
  });

  test('any bytes at all, in any pieces', async () => {
    const { router } = await start();
    const start64 = fc.constantFrom(
      Buffer.alloc(0),
      greeting(),
      Buffer.concat([greeting(), ready]),
    );
    await fc.assert(
      fc.asyncProperty(
        start64,
        fc.array(fc.uint8Array({ maxLength: 80 })),
        async (head, pieces) => {
          const { socket } = await raw(router.address);
          socket.write(head);
          for (const piece of pieces) socket.write(piece);
          socket.end();
        },
      ),
      { numRuns: 50 },
    );
    const other = dealer(router.address);
    await other.send('hi');
    expect(String(await other.receive())).toBe('hi');
  });
});

test('one that does not read is not heard until it does', async () => {
  const { router, seen } = await start('tcp://127.0.0.1:0', 2 ** 21);
  const { socket } = await raw(router.address);
  socket.pause();
  const message = Buffer.concat([frameHead(2 ** 20, 'last'), Buffer.alloc(2 ** 20)]);
  const count = 120;
  socket.write(Buffer.concat([greeting(), ready]));
  for (let i = 0; i < count; i++) socket.write(message);
  await vi.waitUntil(() => seen.messages.length > 60, { timeout: 20_000 });
  for (let before = 0; before < seen.messages.length; await sleep(100))
    before = seen.messages.length;
  expect(seen.messages.length).toBeLessThan(100);
  const other = dealer(router.address);
  await other.send('hi');
  expect(String(await other.receive())).toBe('hi');
  socket.resume();
  await vi.waitUntil(() => seen.messages.length === count + 1, { timeout: 20_000 });
});

async function freePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vf-zmtp-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'serve');
}

describe('a Unix socket', () => {
  test('that a killed server left behind gives way', async () => {
    const path = await freePath();
    const leave = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', leave]);
    expect((await stat(path)).isSocket()).toBe(true);
    const { router } = await start(`ipc://${path}`);
    const socket = dealer(router.address);
    await socket.send('hi');
    expect(String(await socket.receive())).toBe('hi');
  });

  test('of one that listens stays its own, and so does a file', async () => {
    const path = await freePath();
    await start(`ipc://${path}`);
    await expect(start(`ipc://${path}`)).rejects.toThrow('EADDRINUSE');
    await writeFile(`${path}.txt`, 'kept');
    await expect(start(`ipc://${path}.txt`)).rejects.toThrow('EADDRINUSE');
    expect(await readFile(`${path}.txt`, 'utf8')).toBe('kept');
  });
});

test('frames are the same however they are cut', () => {
  const frames = fc.array(
    fc.record({ body: fc.uint8Array({ maxLength: 600 }), hasMore: fc.boolean() }),
  );
  fc.assert(
    fc.property(
      frames,
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }),
      (given, cuts) => {
        const bytes = Buffer.concat(
          given.flatMap(({ body, hasMore }) => [
            frameHead(body.length, hasMore ? 'more' : 'last'),
            body,
          ]),
        );
        const reader = new FrameReader(1_000);
        const read: { readonly body: Uint8Array; readonly hasMore: boolean }[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1;
          reader.push(bytes.subarray(at, at + size));
          at += size;
          for (let frame = reader.frame(); frame !== null; frame = reader.frame())
            read.push({ body: Uint8Array.from(frame.body), hasMore: frame.hasMore });
        }
        expect(read).toEqual(given);
      },
    ),
  );
});

test('a PONG has the context of its PING', () => {
  const [, , ...body] = pong(Buffer.from([0, 100, 1, 2, 3]));
  expect(readCommand(Buffer.from(body))).toEqual({ name: 'PONG', data: Buffer.from([1, 2, 3]) });
});
