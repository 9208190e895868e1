import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Packer } from './packing.ts';
import { piecesOfStream } from './framing.ts';
import type { Piece } from './framing.ts';
import type { Plan, ReplyPlan } from './plan.ts';
import type { CutStep, Delivery } from './script.ts';

/** Long enough for written bytes to leave the machine's send queue before a reset drops it. */
const flushMs = 25;
/** The longest delay that timers take. */
const forever = 2 ** 31 - 1;

/** Sends a reply; ends early, without an error, when `signal` says that the client has gone. */
export async function deliver(
  plan: Plan,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if ('hang' in plan) return;
  if ('hangUp' in plan) return breakOff(response, plan.hangUp.reset ? 'reset' : 'close');
  try {
    await sleep(plan.delivery.headDelayMs ?? 0, signal);
    await send(plan, response, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function send(plan: ReplyPlan, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const { delivery } = plan;
  const packer = delivery.encoding === undefined ? null : new Packer(delivery.encoding);
  writeHead(plan, response);
  for (const piece of piecesOf(plan)) {
    if ('pauseMs' in piece) await sleep(piece.pauseMs, signal);
    else
      await write(
        packer === null ? piece.bytes : await packer.pack(piece.bytes),
        response,
        delivery,
        signal,
      );
  }
  if (packer !== null && plan.cut === null)
    await write(await packer.end(), response, delivery, signal);
  if (plan.cut === 'hang') return;
  if (plan.cut === 'close' || plan.cut === 'reset') {
    await setTimeout(flushMs, undefined, { signal });
    breakOff(response, plan.cut);
  } else response.end();
}

function piecesOf(plan: ReplyPlan): readonly Piece[] {
  if (typeof plan.body !== 'string') return piecesOfStream(plan.body, plan.delivery);
  return [{ bytes: Buffer.from(plan.body) }];
}

function writeHead(plan: ReplyPlan, response: ServerResponse): void {
  const { encoding } = plan.delivery;
  const isWhole = typeof plan.body === 'string' && plan.cut === null && encoding === undefined;
  const length = isWhole ? { 'content-length': String(Buffer.byteLength(plan.body)) } : {};
  const packed = encoding === undefined ? {} : { 'content-encoding': encoding };
  response.writeHead(plan.status, { ...length, ...packed, ...plan.headers });
  response.flushHeaders();
}

async function write(
  bytes: Buffer,
  response: ServerResponse,
  { chunkBytes, chunkDelayMs }: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const size = chunkBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += size) {
    if (!response.write(bytes.subarray(at, at + size))) await once(response, 'drain', { signal });
    if (chunkDelayMs !== undefined) await sleep(chunkDelayMs, signal);
    else if (chunkBytes !== undefined) await setImmediate(undefined, { signal });
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await setTimeout(Math.min(ms, forever), undefined, { signal });
}

function breakOff(response: ServerResponse, how: Exclude<CutStep['how'], 'end'>): void {
  if (how === 'reset') response.socket?.resetAndDestroy();
  else response.socket?.destroy();
}
