import { stages } from '../trace.ts';
import type { TraceError } from '../trace.ts';
import { Columns, writeColumn } from './columns.ts';
import { integer, string } from './fields.ts';
import type { Fields, Kind } from './fields.ts';
import { compact, orNone } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import type { Stage } from '../trace.ts';

export function writeErrors(errors: readonly TraceError[]): readonly JsonObject[] {
  return errors.map((error) =>
    compact({
      type: error.type,
      message: error.message,
      status_code: error.status,
      traceback: error.stack,
    }),
  );
}

/** What the verifiers model of an error has no place for, one list per field. */
export function writeErrorColumns(errors: readonly TraceError[]): JsonObject | undefined {
  return orNone(
    compact({
      phase: writeColumn(errors, (error) => error.phase),
      attempt: writeColumn(errors, (error) => error.attempt),
    }),
  );
}

/** @param vf where the columns of these errors stand */
export function readErrors(fields: Fields, vf: Fields | undefined): TraceError[] {
  const records = fields.children('errors') ?? [];
  const columns = new Columns(vf?.child('errors'), records.length);
  const phaseOf = columns.of('phase', stage);
  const attemptOf = columns.of('attempt', integer);
  return records.map((record, at) => {
    const status = record.optional('status_code', integer);
    const stack = record.optional('traceback', string);
    const phase = phaseOf(at);
    const attempt = attemptOf(at);
    return {
      type: record.required('type', string),
      message: record.required('message', string),
      ...(status === undefined ? {} : { status }),
      ...(phase == null ? {} : { phase }),
      ...(attempt == null ? {} : { attempt }),
      ...(stack === undefined ? {} : { stack }),
    };
  });
}

const stage: Kind<Stage> = {
  name: 'a stage',
  is: (value): value is Stage => stages.some((known) => known === value),
};
