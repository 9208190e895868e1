import type { AssistantMessage, Message, ToolCall, ToolSpec } from '@vf/core';
import { isObject, parseJson } from '@vf/core/dialect';
import { refusal } from './engine/engine-failed.ts';

/** The tools of a call as model templates know them: plain functions under plain names. */
export interface OfferedTools {
  readonly tools: readonly ToolSpec[];
  /** A message of the agent, its calls as the model made them. */
  toModel(message: Message): Message;
  /** A call of the model as the agent knows it; null when its arguments do not fit. */
  toAgent(call: Pick<ToolCall, 'id' | 'name' | 'arguments'>): ToolCall | null;
}

/** Why tools of other kinds than functions and free text are refused. */
export const noProviderTools = 'it runs at a provider, which training has none of';

/** The one argument of a tool that takes free text. */
const inputOnly = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
} as const;

/**
 * A tool that takes free text becomes a function with one string, a namespace a part of the name.
 * @throws EngineFailed for tools that only a provider can run
 */
export function offer(tools: readonly ToolSpec[]): OfferedTools {
  const byName = new Map(tools.map((tool) => [plainName(tool), tool]));
  return {
    tools: tools.map(plainTool),
    toModel: (message) => (message.role === 'assistant' ? assistantToModel(message) : message),
    toAgent(call) {
      const tool = byName.get(call.name);
      if (tool === undefined) return call;
      const named = {
        ...call,
        name: tool.name,
        ...(tool.namespace === undefined ? {} : { namespace: tool.namespace }),
      };
      if (tool.kind !== 'custom') return named;
      const given = parseJson(call.arguments);
      const input = isObject(given) ? given['input'] : undefined;
      return typeof input === 'string' ? { ...named, kind: 'custom', arguments: input } : null;
    },
  };
}

function plainName({ name, namespace }: Pick<ToolSpec, 'name' | 'namespace'>): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

function plainTool(tool: ToolSpec): ToolSpec {
  const { description, kind = 'function', strict } = tool;
  if (kind !== 'function' && kind !== 'custom') {
    throw refusal(
      `the tool ${tool.name} (${kind}): ${noProviderTools}; harness.extra_tools = false switches it off in codex and claude-code, in another agent a setting of its own`,
    );
  }
  const parameters = kind === 'custom' ? inputOnly : tool.parameters;
  return {
    name: plainName(tool),
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(strict === undefined ? {} : { strict }),
  };
}

function assistantToModel(message: AssistantMessage): AssistantMessage {
  if (message.toolCalls === undefined) return message;
  return {
    ...message,
    toolCalls: message.toolCalls.map(({ id, name, namespace, kind, arguments: given }) => ({
      id,
      name: namespace === undefined ? name : plainName({ name, namespace }),
      arguments: kind === 'custom' ? JSON.stringify({ input: given }) : given,
    })),
  };
}
