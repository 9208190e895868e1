import { z } from '@vf/core';
import type { Content, Message, Part } from '@vf/core';

const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    source: z.object({ media_type: z.string(), path: z.string() }),
  }),
]);
const content = z.union([z.string(), z.array(part)]);
const toolCall = z.object({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
const step = z.object({
  source: z.enum(['system', 'user', 'agent']),
  message: content,
  tool_calls: z.array(toolCall).nullish(),
  observation: z
    .object({
      results: z.array(
        z.object({ source_call_id: z.string().nullish(), content: content.nullish() }),
      ),
    })
    .nullish(),
});

/** An earlier conversation as ATIF v1.0 to v1.7 writes it; of its fields those that an agent can be told. */
const trajectory = z.object({
  schema_version: z.string().regex(/^ATIF-v1\.[0-7]$/, 'must be ATIF-v1.0 to ATIF-v1.7'),
  steps: z.array(step).min(1),
});

export type Trajectory = z.infer<typeof trajectory>;

/** A fault of a file, with the path of keys as text. */
export interface TrajectoryFault {
  readonly path: string;
  readonly message: string;
}

/** Reads a `trajectory.json`, or tells all that is wrong with it. */
export function parseTrajectory(
  text: string,
): { readonly messages: readonly Message[] } | { readonly faults: readonly TrajectoryFault[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { faults: [{ path: '', message: `is no JSON: ${message}` }] };
  }
  const parsed = trajectory.safeParse(value);
  if (parsed.success) return { messages: parsed.data.steps.flatMap(messagesOf) };
  return {
    faults: parsed.error.issues.map(({ path, message }) => ({
      path: path.map(String).join('.'),
      message,
    })),
  };
}

type Step = Trajectory['steps'][number];

/** A step of the agent holds the results of its calls, too. */
function messagesOf({ source, message, tool_calls: calls, observation }: Step): Message[] {
  const told = contentOf(message);
  if (source === 'system') return [{ role: 'system', content: told }];
  if (source === 'user') return [{ role: 'user', content: told }];
  const toolCalls = (calls ?? []).map((call) => ({
    id: call.tool_call_id,
    name: call.function_name,
    arguments: JSON.stringify(call.arguments),
  }));
  const said = typeof told === 'string' ? told : textOfParts(told);
  const results = (observation?.results ?? []).flatMap(
    ({ source_call_id: id, content: given }): Message[] =>
      id == null ? [] : [{ role: 'tool', toolCallId: id, content: contentOf(given ?? '') }],
  );
  return [
    { role: 'assistant', content: said, ...(toolCalls.length === 0 ? {} : { toolCalls }) },
    ...results,
  ];
}

/** Images lie beside the file and are named, not shown. */
function contentOf(given: Step['message']): Content {
  if (typeof given === 'string') return given;
  return given.map((one): Part =>
    one.type === 'text'
      ? { type: 'text', text: one.text }
      : { type: 'text', text: `[image ${one.source.path}]` },
  );
}

function textOfParts(parts: readonly Part[]): string {
  return parts.map((one) => (one.type === 'text' ? one.text : '')).join('');
}
