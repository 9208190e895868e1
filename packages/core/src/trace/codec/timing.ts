import { stages } from '../trace.ts';
import type { Span, Timing } from '../trace.ts';
import { number } from './fields.ts';
import type { Fields } from './fields.ts';
import { compact } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

export function writeTiming(timing: Timing): JsonObject {
  const { agent } = timing;
  return compact({
    start: timing.start,
    boot: timing.boot,
    setup: timing.setup,
    agent:
      agent === undefined
        ? undefined
        : {
            start: agent.start,
            end: agent.end,
            model: { duration: agent.model },
            harness: { duration: agent.harness },
          },
    finalize: timing.finalize,
    scoring: timing.scoring,
  });
}

/** A span of zeros is how the Python peer writes a stage that did not run. */
export function readTiming(fields: Fields | undefined): Timing {
  if (fields === undefined) return { start: 0 };
  const timing: Timing = { start: fields.optional('start', number) ?? 0 };
  for (const stage of stages) {
    const record = fields.child(stage);
    const span = record === undefined ? null : readSpan(record);
    if (record === undefined || span === null) continue;
    if (stage === 'agent') timing.agent = { ...span, ...readSplit(record) };
    else timing[stage] = span;
  }
  return timing;
}

function readSpan(fields: Fields): Span | null {
  const start = fields.optional('start', number) ?? 0;
  const end = fields.optional('end', number) ?? 0;
  return start === 0 && end === 0 ? (readSplit(fields), null) : { start, end };
}

function readSplit(fields: Fields): { readonly model: number; readonly harness: number } {
  return {
    model: fields.child('model')?.optional('duration', number) ?? 0,
    harness: fields.child('harness')?.optional('duration', number) ?? 0,
  };
}
