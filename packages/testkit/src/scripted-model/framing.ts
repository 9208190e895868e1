import type { Frame } from './plan.ts';
import type { Delivery } from './script.ts';

/** Bytes to write, or a silence between them. */
export type Piece = { readonly bytes: Buffer } | { readonly pauseMs: number };

/** Frames as bytes: what is ready at one time is one piece. */
export function piecesOfStream(frames: readonly Frame[], delivery: Delivery): Piece[] {
  const newline = delivery.newline ?? '\n';
  const pieces: Piece[] = [];
  let ready = delivery.byteOrderMark === true ? '\uFEFF' : '';
  const pause = (pauseMs: number): void => {
    if (ready !== '') pieces.push({ bytes: Buffer.from(ready) });
    pieces.push({ pauseMs });
    ready = '';
  };
  frames.forEach((frame, index) => {
    if (frame.type === 'pause') return pause(frame.ms);
    ready += frameText(frame, newline);
    if (delivery.eventDelayMs !== undefined && index < frames.length - 1)
      pause(delivery.eventDelayMs);
  });
  if (ready !== '') pieces.push({ bytes: Buffer.from(ready) });
  return pieces;
}

function frameText(frame: Exclude<Frame, { type: 'pause' }>, newline: string): string {
  if (frame.type === 'comment') return `: ${frame.text}${newline}${newline}`;
  const { name, data } = frame.event;
  const lines = data.split('\n').map((line) => `data: ${line}${newline}`);
  const head = name === undefined ? '' : `event: ${name}${newline}`;
  return `${head}${lines.join('')}${newline}`;
}
