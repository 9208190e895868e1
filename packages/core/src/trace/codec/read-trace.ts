import { VfError } from '../../errors/vf-error.ts';
import { MessageGraph } from '../graph.ts';
import { Trace } from '../trace.ts';
import { readAgent } from './agent.ts';
import { anything, damaged, Fields, integer, object, string } from './fields.ts';
import { assignAll, isObject } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import { checkCalls, checkNodes, readNode } from './nodes.ts';
import { readCalls } from './read-calls.ts';
import { readOutcome } from './read-outcome.ts';
import { readSpace } from './token-space.ts';
import { readTask } from './task.ts';
import { readTiming } from './timing.ts';
import { readTool } from './tools.ts';
import { recordMaker, recordVersion } from './write-trace.ts';

/** @throws VfError store/damaged with the path, store/newer_version */
export function readTrace(fields: Fields): Trace {
  checkVersion(fields);
  const { own, vf } = readInfo(fields);
  const path = fields.at('');
  const extras = vf?.child('nodes');
  const nodes = fields
    .records('nodes')
    .map((node, at) => readNode(node, extras?.child(String(at))));
  const graph = new MessageGraph();
  graph.space = readSpace(vf);
  checkNodes(nodes, path, damaged, graph.space);
  for (const node of nodes) graph.restore(node);
  const timing = readTiming(fields.child('timing'));
  const trace = new Trace({
    id: fields.required('id', string),
    task: readTask(inner(fields, 'task'), vf?.optional('task', object)),
    agent: readAgent(inner(fields, 'agent'), vf),
    start: timing.start,
    graph,
  });
  Object.assign(trace.timing, timing);
  trace.calls.push(...readCalls(fields.records('calls'), vf));
  checkCalls(trace.calls, nodes, path, damaged);
  readOutcome(fields, vf, trace);
  assignAll(trace.info, own);
  takeDerived(fields, vf);
  trace.unknown = unknownOf(fields, vf);
  return trace;
}

function inner(fields: Fields, key: string): Fields {
  return fields.child(key) ?? damaged(fields.at(key), 'is missing');
}

function checkVersion(fields: Fields): void {
  const version = fields.optional('version', integer) ?? recordVersion;
  if (version <= recordVersion) return;
  throw new VfError(
    'store/newer_version',
    `${fields.at('version')}: ${version}, this vf reads up to ${recordVersion}`,
    { hint: 'update vf' },
  );
}

/** The author's own info, and what vf keeps beside the record of its peer. */
function readInfo(fields: Fields): { readonly own: JsonObject; readonly vf: Fields | undefined } {
  const { vf, ...own } = fields.optional('info', object) ?? {};
  if (!isObject(vf)) return { own: vf === undefined ? own : { ...own, vf }, vf: undefined };
  const ours = new Fields(vf, fields.at('info.vf'));
  const authors = ours.peek('own_vf');
  ours.optional('own_vf', anything);
  return { own: authors === undefined ? own : { ...own, vf: authors }, vf: ours };
}

/** Fields that are written from the others; what the Python peer adds to a tool stays unknown. */
function takeDerived(fields: Fields, vf: Fields | undefined): void {
  fields.children('tools')?.forEach(readTool);
  for (const count of ['num_input_tokens', 'num_output_tokens', 'num_total_tokens']) {
    fields.optional(count, integer);
  }
  const maker = fields.peek('verifiers');
  if (isObject(maker) && maker['version'] === recordMaker) fields.optional('verifiers', object);
  const episode = vf?.child('episode');
  for (const key of ['attempt', 'task', 'errors']) episode?.optional(key, anything);
}

function unknownOf(fields: Fields, vf: Fields | undefined): JsonObject {
  const left = vf?.rest();
  return { ...fields.rest(), ...(left === undefined ? {} : { info: { vf: left } }) };
}
