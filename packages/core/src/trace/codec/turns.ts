import type { Trace } from '../trace.ts';
import { damaged, Fields } from './fields.ts';
import { compact, orNone } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import { checkCalls, checkNodes, readNode, writeNode } from './nodes.ts';
import type { RecordForm } from './nodes.ts';
import { plainJson } from './plain-json.ts';
import { readCalls } from './read-calls.ts';
import { readTrace } from './read-trace.ts';
import { readSpace, writeSpace } from './token-space.ts';
import { writeCalls } from './write-calls.ts';
import { writeTrace } from './write-trace.ts';

/** How much of a trace was written before. */
export interface Written {
  readonly nodes: number;
  readonly calls: number;
}

/**
 * The record of one trace as it stands, finished or not.
 * @throws VfError internal/unexpected when its graph breaks a rule of the record
 */
export function encodeTrace(trace: Trace, form?: RecordForm): JsonObject {
  return writeTrace(trace, undefined, form).record;
}

/**
 * The nodes and calls that came after `since`; costs time in these alone. Links that older nodes got
 * meanwhile are not in it.
 */
export function encodeTurns(trace: Trace, since: Written, form?: RecordForm): JsonObject {
  const { nodes, space } = trace.graph;
  const written = nodes.slice(since.nodes).map((node) => writeNode(node, form));
  const { calls, forms, origins, columns } = writeCalls(trace.calls.slice(since.calls));
  const extras = written.flatMap(({ extra }, at) => (extra === undefined ? [] : [[at, extra]]));
  const turns = compact({
    nodes: written.map(({ node }) => node),
    calls,
    vf: orNone(
      compact({
        nodes: orNone(Object.fromEntries(extras)),
        forms,
        token_origins: origins,
        calls: columns,
        token_space: writeSpace(space),
      }),
    ),
  });
  return plainJson(turns).value;
}

/**
 * The trace of a record of `encodeTrace` and of the turns that followed it, oldest first.
 * @throws VfError store/damaged with the path of what does not hold; store/newer_version
 */
export function decodeTrace(record: JsonObject, turns: readonly JsonObject[] = []): Trace {
  const trace = readTrace(new Fields(record, ''));
  turns.forEach((turn, at) => addTurns(trace, new Fields(turn, `turns[${at}]`)));
  checkNodes(trace.graph.nodes, '', damaged, trace.graph.space);
  checkCalls(trace.calls, trace.graph.nodes, '', damaged);
  return trace;
}

function addTurns(trace: Trace, fields: Fields): void {
  const vf = fields.child('vf');
  trace.graph.space = readSpace(vf) ?? trace.graph.space;
  const extras = vf?.child('nodes');
  fields.records('nodes').forEach((record, at) => {
    const node = readNode(record, extras?.child(String(at)));
    if (node.parent !== null && node.parent >= trace.graph.nodes.length) {
      damaged(record.at('parent'), `${node.parent} does not precede the node`);
    }
    trace.graph.restore(node);
  });
  trace.calls.push(...readCalls(fields.records('calls'), vf));
}
