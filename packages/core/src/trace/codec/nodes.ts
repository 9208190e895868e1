import type { TokenSpace } from '../../contract/turn-tokens.ts';
import type { ModelCall } from '../model-call.ts';
import type { CausalLink, TraceNode } from '../node.ts';
import { boolean, damaged, index, number, string } from './fields.ts';
import type { Fields } from './fields.ts';
import { compact, orNone, withUnknown } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import { readMessage, splitMessage, writeMessage } from './messages.ts';
import { readTokens, writeTokens } from './tokens.ts';
import { checkSpace, checkTokens } from './token-rules.ts';
import { readTool, writeTool } from './tools.ts';

/** A node as the verifiers models take it, and what goes to `info.vf.nodes` under its index. */
export interface NodeRecord {
  readonly node: JsonObject;
  readonly extra: JsonObject | undefined;
}

/**
 * How a record says tokens: as lists of JSON, or not at all, for a wire form that packs the nodes' own arrays.
 */
export interface RecordForm {
  readonly tokens?: 'lists' | 'apart';
}

export function writeNode(node: TraceNode, form: RecordForm = {}): NodeRecord {
  const { message, extra } = splitMessage(node.message);
  const said = node.said === undefined ? undefined : writeMessage(node.said);
  const record = compact({
    parent: node.parent,
    tools: node.tools?.map(writeTool),
    semantic_parents: node.links?.map(({ node: cause, type }) => ({ node: cause, type })),
    message,
    sampled: node.sampled || undefined,
    timestamp: node.timestamp,
    ...(form.tokens === 'apart' ? {} : writeTokens(node.tokens)),
  });
  return { node: withUnknown(record, node.unknown), extra: orNone(compact({ ...extra, said })) };
}

export function readNode(fields: Fields, extra: Fields | undefined): TraceNode {
  const parent = fields.optional('parent', index) ?? null;
  const tools = fields.children('tools')?.map(readTool) ?? [];
  const links = fields.children('semantic_parents')?.map(readLink) ?? [];
  const said = extra?.child('said');
  const tokens = readTokens(fields);
  const message = fields.child('message') ?? damaged(fields.at('message'), 'is missing');
  const node: TraceNode = {
    parent,
    message: readMessage(message, extra),
    ...(said === undefined ? {} : { said: readMessage(said) }),
    sampled: fields.optional('sampled', boolean) ?? false,
    ...(tools.length === 0 ? {} : { tools }),
    ...(links.length === 0 ? {} : { links }),
    timestamp: fields.optional('timestamp', number) ?? 0,
    ...(tokens === undefined ? {} : { tokens }),
  };
  const unknown = fields.rest();
  return unknown === undefined ? node : { ...node, unknown };
}

function readLink(fields: Fields): CausalLink {
  return { node: fields.required('node', index), type: fields.required('type', linkType) };
}

const linkType = {
  name: 'a link type ([A-Za-z][A-Za-z0-9._:-]*, at most 128 characters)',
  is: (value: unknown): value is string =>
    string.is(value) && /^[A-Za-z][A-Za-z0-9._:-]{0,127}$/.test(value),
};

/**
 * The rules between nodes: parents precede their children, links name other nodes, replies are what
 * assistants said, tools stand on roots, tokens fit their masks.
 */
export function checkNodes(
  nodes: readonly TraceNode[],
  path: string,
  fail: (path: string, reason: string) => never,
  space: TokenSpace | null = null,
): void {
  nodes.forEach((node, at) => {
    const here = `${path}nodes[${at}]`;
    if (node.parent !== null && !(node.parent >= 0 && node.parent < at)) {
      fail(`${here}.parent`, `${node.parent} does not precede the node`);
    }
    if (node.sampled && node.message.role !== 'assistant') {
      fail(`${here}.sampled`, `a ${node.message.role} message is never sampled`);
    }
    node.links?.forEach((link, order) => {
      const there = `${here}.semantic_parents[${order}]`;
      if (link.node === at || nodes[link.node] === undefined) {
        fail(`${there}.node`, `${link.node} is not another node of the trace`);
      }
      if (!linkType.is(link.type)) fail(`${there}.type`, `must be ${linkType.name}`);
    });
    if (node.tokens !== undefined) checkTokens(node.tokens, node.sampled, here, fail);
  });
  if (space !== null) checkSpace(nodes, space, path, fail);
}

/** A call that committed a reply names the sampled node. */
export function checkCalls(
  calls: readonly ModelCall[],
  nodes: readonly TraceNode[],
  path: string,
  fail: (path: string, reason: string) => never,
): void {
  calls.forEach((call, at) => {
    if (call.node !== null && nodes[call.node]?.sampled !== true) {
      fail(`${path}calls[${at}].node`, `${call.node} is not a sampled node`);
    }
  });
}
