import type { SampleRequest } from './engine.ts';
import { noSample } from './engine-failed.ts';

/** What an engine counted by itself; null where it does not say. */
export interface Counts {
  readonly prompt: number | null;
  readonly sampled: number | null;
}

/**
 * Holds the counts of an answer against what was sent and what came: an engine that read another prompt, or that left
 * out some of what it sampled, tells probabilities of something else.
 * @throws EngineFailed
 */
export function checkCounts(
  engine: string,
  { promptIds, room }: Pick<SampleRequest, 'promptIds' | 'room'>,
  count: number,
  { prompt, sampled }: Counts,
): void {
  if (prompt !== null && prompt !== promptIds.length) {
    throw noSample(
      `${engine} read a prompt of ${prompt} tokens where ${promptIds.length} were sent`,
    );
  }
  if (sampled !== null && sampled !== count) {
    throw noSample(`${engine} counted ${sampled} tokens and gave ${count}`);
  }
  checkRoom(engine, room, count);
}

/** @throws EngineFailed when there is more than was asked for */
export function checkRoom(engine: string, room: number | null, count: number): void {
  if (room === null || count <= room) return;
  throw noSample(`${engine} sampled ${count} tokens where at most ${room} were asked for`);
}

/** @throws EngineFailed when prompt and reply are more than the model can have seen at once */
export function checkContext(
  engine: string,
  prompt: number,
  sampled: number,
  context: number | null,
): void {
  if (context === null || prompt + sampled <= context) return;
  throw noSample(`${engine} sampled ${sampled} tokens behind ${prompt} in a context of ${context}`);
}
