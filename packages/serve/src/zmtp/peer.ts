import type { Socket } from 'node:net';
import { BrokenPeer, FrameReader, frameHead } from './frames.ts';
import {
  checkGreeting,
  checkReady,
  greeting,
  greetingLength,
  pong,
  readCommand,
  ready,
} from './handshake.ts';

export interface PeerEvents {
  /** A whole message. */
  message(peer: Peer, frames: readonly Buffer[]): void;
  /** The connection of one that was ready is gone. */
  gone(peer: Peer, reason: string): void;
}

/** Within which a connection must say what it is, as libzmq has it. */
const handshakeMs = 30_000;
/** After which silence the system looks whether the other side is still there. */
const keepAliveMs = 60_000;
/** Frames of one message that are kept; those of a longer one are counted only. */
const keptFrames = 8;
/** Messages up to this size in all go out in one piece. */
const joinedBytes = 64 * 1024;
/** Bytes that may wait for one that does not read; as long as more do, nothing that it says is heard. */
const heldBytes = 64 * 2 ** 20;

/** One connection: the handshake, then messages in both directions. */
export class Peer {
  readonly #socket: Socket;
  readonly #events: PeerEvents;
  readonly #maxBytes: number;
  readonly #reader: FrameReader;
  #stage: 'greeting' | 'ready' | 'open' = 'greeting';
  #frames: Buffer[] = [];
  #bytes = 0;
  #out: Buffer[] = [];
  #outBytes = 0;
  #flush: NodeJS.Immediate | null = null;
  #reason = 'it closed the connection';

  /** @param maxBytes of one message */
  constructor(socket: Socket, maxBytes: number, events: PeerEvents) {
    this.#socket = socket;
    this.#events = events;
    this.#maxBytes = maxBytes;
    this.#reader = new FrameReader(maxBytes);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    socket.setTimeout(handshakeMs, () => this.#drop('no handshake'));
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => (this.#reason = error.message));
    socket.on('close', () => this.#closed());
    socket.write(greeting());
  }

  /** Sends one message; those of one turn of the event loop leave together. */
  send(frames: readonly (string | Uint8Array)[]): void {
    if (this.#socket.destroyed) return;
    frames.forEach((frame, at) => {
      const body = typeof frame === 'string' ? Buffer.from(frame) : bufferOf(frame);
      this.#out.push(frameHead(body.length, at < frames.length - 1 ? 'more' : 'last'), body);
      this.#outBytes += body.length;
    });
    this.#flush ??= setImmediate(() => this.#write());
  }

  /** Sends what waits, then ends; waits for at most `ms`. */
  async close(ms: number): Promise<void> {
    if (this.#socket.destroyed) return;
    this.#write();
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    const timer = setTimeout(() => this.#socket.destroy(), ms);
    this.#socket.end(() => this.#socket.destroy());
    await closed;
    clearTimeout(timer);
  }

  #write(): void {
    if (this.#flush !== null) clearImmediate(this.#flush);
    this.#flush = null;
    const out = this.#out;
    this.#out = [];
    this.#outBytes = 0;
    if (out.length === 0 || this.#socket.destroyed) return;
    const size = out.reduce((sum, { length }) => sum + length, 0);
    if (size <= joinedBytes) {
      this.#socket.write(Buffer.concat(out, size));
      return;
    }
    this.#socket.cork();
    for (const bytes of out) this.#socket.write(bytes);
    this.#socket.uncork();
  }

  #read(chunk: Buffer): void {
    this.#reader.push(chunk);
    this.#proceed();
  }

  #proceed(): void {
    try {
      if (this.#stage === 'greeting' && !this.#greeted()) return;
      while (!this.#isHeld()) {
        const frame = this.#reader.frame();
        if (frame === null) return;
        if (frame.isCommand) this.#command(frame.body);
        else this.#frame(frame.body, frame.hasMore);
      }
    } catch (error) {
      if (!(error instanceof BrokenPeer)) throw error;
      this.#drop(error.message);
    }
  }

  /** Does too much wait for it? Then it is heard again once it has read that. */
  #isHeld(): boolean {
    const { writableLength } = this.#socket;
    if (this.#outBytes + writableLength <= heldBytes) return false;
    this.#write();
    if (!this.#socket.writableNeedDrain) return false;
    if (this.#socket.isPaused()) return true;
    this.#socket.pause();
    this.#socket.once('drain', () => {
      this.#socket.resume();
      this.#proceed();
    });
    return true;
  }

  #greeted(): boolean {
    const bytes = this.#reader.take(greetingLength);
    if (bytes === null) return false;
    checkGreeting(bytes);
    this.#stage = 'ready';
    this.#socket.write(ready());
    return true;
  }

  #command(body: Buffer): void {
    const { name, data } = readCommand(body);
    if (this.#stage === 'ready') {
      if (name !== 'READY') throw new BrokenPeer(`the command ${name} in place of READY`);
      checkReady(data);
      this.#stage = 'open';
      this.#socket.setTimeout(0);
    } else if (name === 'PING') this.#socket.write(pong(data));
  }

  #frame(body: Buffer, hasMore: boolean): void {
    if (this.#stage !== 'open') throw new BrokenPeer('a message before READY');
    this.#bytes += body.length + 2;
    if (this.#bytes > this.#maxBytes) throw new BrokenPeer(`a message of ${this.#bytes} bytes`);
    if (this.#frames.length < keptFrames) this.#frames.push(body);
    if (hasMore) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    this.#events.message(this, frames);
  }

  #drop(reason: string): void {
    this.#reason = reason;
    this.#socket.destroy();
  }

  #closed(): void {
    this.#out = [];
    this.#outBytes = 0;
    if (this.#stage === 'open') this.#events.gone(this, this.#reason);
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
