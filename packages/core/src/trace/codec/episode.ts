import { sortedJson } from '../canonical-json.ts';
import type { Episode } from '../episode.ts';
import type { EpisodeRecord } from '../record.ts';
import type { TraceTask } from '../trace.ts';
import { readErrors, writeErrorColumns, writeErrors } from './errors.ts';
import { boolean, damaged, Fields, integer, object, string } from './fields.ts';
import { compact, isObject, orNone, withUnknown } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import type { RecordForm } from './nodes.ts';
import { plainJson } from './plain-json.ts';
import { readTrace } from './read-trace.ts';
import { readTask, writeTask } from './task.ts';
import type { TaskRecord } from './task.ts';
import { addCounts } from './token-counts.ts';
import { writeTrace } from './write-trace.ts';

/**
 * The record of an episode: plain JSON, a superset of the verifiers v1 episode. Values that JSON
 * cannot hold (a lone surrogate, NaN, a cycle) are replaced and counted, never refused.
 * @throws VfError internal/unexpected when a graph breaks a rule of the record
 */
export function encodeEpisode(episode: Episode, form?: RecordForm): EpisodeRecord {
  const task = writeTask(episode.task);
  const [first] = episode.traces;
  const vf = compact({
    attempt: episode.attempt === 1 ? undefined : episode.attempt,
    task: first === undefined ? task.given : givenApart(episode.task, task, first.task),
    errors: writeErrorColumns(episode.errors),
  });
  const traces = episode.traces.map((trace, at) =>
    writeTrace(trace, at === 0 ? orNone(vf) : undefined, form),
  );
  const record = compact({
    id: episode.id,
    env: compact({ id: episode.env.id, name: episode.env.name }),
    task: task.task,
    run: episode.run === undefined ? undefined : writeRun(episode.run),
    ok: episode.ok,
    is_timeout: episode.isTimeout || undefined,
    errors: episode.errors.length === 0 ? undefined : writeErrors(episode.errors),
    vf: first === undefined ? orNone(vf) : undefined,
  });
  const { value } = plainJson(withUnknown(record, episode.unknown));
  return {
    ...value,
    traces: traces.map((trace) => trace.record),
    ...addCounts(traces.map((trace) => trace.counts)),
  };
}

/** The peer tells training and evaluation apart; what vf plays by itself is an evaluation. */
function writeRun(run: NonNullable<Episode['run']>): JsonObject {
  return compact({ type: 'eval', id: run.id, name: run.name });
}

/** Most episodes have the task of their first trace; its kept fields then count for both. */
function givenApart(
  given: TraceTask,
  task: TaskRecord,
  firstGiven: TraceTask,
): JsonObject | undefined {
  if (given === firstGiven) return undefined;
  const first = writeTask(firstGiven);
  if (sortedJson(task.task) !== sortedJson(first.task)) return task.given;
  return JSON.stringify(task.given) === JSON.stringify(first.given)
    ? undefined
    : (task.given ?? {});
}

/** The record as one line of JSON, without its newline. */
export function episodeToLine(episode: Episode): string {
  return JSON.stringify(encodeEpisode(episode));
}

/**
 * The episode of a record, written by us or by the Python peer. Fields that vf does not know are kept
 * and written again.
 * @throws VfError store/damaged with the path of what does not hold; store/newer_version
 */
export function decodeEpisode(record: EpisodeRecord): Episode {
  const fields = new Fields(record, '');
  const records = fields.records('traces');
  const traces = records.map(readTrace);
  const vf = records[0] === undefined ? fields.child('vf') : infoOfVf(records[0])?.child('episode');
  const env = fields.child('env');
  const name = env?.optional('name', string);
  const run = readRun(fields);
  const task = readEpisodeTask(fields, vf, records[0]);
  for (const count of ['num_input_tokens', 'num_output_tokens', 'num_total_tokens']) {
    fields.optional(count, integer);
  }
  const episode: Episode = {
    id: fields.required('id', string),
    env: { id: env?.optional('id', string) ?? '', ...(name === undefined ? {} : { name }) },
    task,
    attempt: vf?.optional('attempt', integer) ?? 1,
    ...(run === undefined ? {} : { run }),
    traces,
    errors: readErrors(fields, vf),
    ok: fields.optional('ok', boolean) ?? false,
    isTimeout: fields.optional('is_timeout', boolean) ?? false,
  };
  const unknown = fields.rest();
  return unknown === undefined ? episode : { ...episode, unknown };
}

/** `info.vf` of a trace's record, whose own reader has taken it already. */
function infoOfVf(trace: Fields): Fields | undefined {
  const info = trace.peek('info');
  const vf = isObject(info) ? info['vf'] : undefined;
  return isObject(vf) ? new Fields(vf, trace.at('info.vf')) : undefined;
}

/** A training run keeps its type and its work as unknown fields. */
function readRun(fields: Fields): Episode['run'] {
  const run = fields.child('run');
  if (run === undefined) return undefined;
  run.oneOf('type', ['eval']);
  const name = run.optional('name', string);
  return { id: run.required('id', string), ...(name === undefined ? {} : { name }) };
}

function readEpisodeTask(
  fields: Fields,
  vf: Fields | undefined,
  first: Fields | undefined,
): TraceTask {
  const given = vf?.optional('task', object);
  const task = fields.child('task') ?? damaged('task', 'is missing');
  const isFirst =
    given === undefined &&
    first !== undefined &&
    sortedJson(fields.peek('task')) === sortedJson(first.peek('task'));
  if (!isFirst) return readTask(task, given);
  return readTask(task, infoOfVf(first)?.optional('task', object));
}
