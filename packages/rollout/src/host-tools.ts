import { z } from '@vf/core';
import type { HostTool, RawTool, AnyTool, ToolResult, Trace } from '@vf/core';
import type { Clock } from '@vf/core';
import { abortAfter } from './time-limit.ts';
import { within } from './within.ts';

interface ToolSurroundings {
  readonly trace: Trace;
  readonly clock: Clock;
  /** Called when a result ends the rollout. */
  end(reason: string, rewards: Readonly<Record<string, number>>): void;
}

/** The taskset's tools as functions of JSON text; every call is recorded, failed ones too. */
export function hostTools(
  tools: Readonly<Record<string, AnyTool>>,
  ctx: object,
  around: ToolSurroundings,
): HostTool[] {
  return Object.entries(tools).map(([name, tool]) => ({
    spec: { name, description: tool.description, parameters: jsonSchemaOf(tool.input) },
    call: (argumentsJson, signal) =>
      served(name, around, tool.timeoutMs, signal, (deadline) => {
        const input = tool.input.safeParse(parseArguments(argumentsJson));
        if (!input.success)
          throw new Error(`wrong arguments for ${name}: ${z.prettifyError(input.error)}`);
        return tool.run(input.data, { ...ctx, signal: deadline });
      }),
  }));
}

/** Tools that setup named at run time. */
export function rawHostTools(
  tools: Readonly<Record<string, RawTool>>,
  around: ToolSurroundings,
): HostTool[] {
  return Object.entries(tools).map(([name, tool]) => ({
    spec: { name, description: tool.description, parameters: { ...tool.inputSchema } },
    call: (argumentsJson, signal) =>
      served(name, around, tool.timeoutMs, signal, (deadline) =>
        tool.run(parseArguments(argumentsJson), deadline),
      ),
  }));
}

async function served(
  name: string,
  { trace, clock, end }: ToolSurroundings,
  timeoutMs: number | undefined,
  signal: AbortSignal,
  run: (signal: AbortSignal) => unknown,
): Promise<ToolResult> {
  const start = clock.now() / 1000;
  const deadline =
    timeoutMs === undefined ? signal : AbortSignal.any([signal, abortAfter(timeoutMs)]);
  let result: ToolResult;
  try {
    result = asResult(await within((async () => run(deadline))(), deadline));
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    result = {
      content: deadline.aborted ? `${name} took longer than ${timeoutMs} ms` : message,
      isError: true,
    };
  }
  const failure = result.isError === true ? String(result.content) : null;
  trace.toolCalls.push({ name, start, end: clock.now() / 1000, error: failure });
  if (result.end !== undefined) end(result.end.reason, result.end.rewards ?? {});
  return result;
}

function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

function parseArguments(json: string): unknown {
  if (json.trim() === '') return {};
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('the arguments are not JSON');
  }
}

function asResult(value: unknown): ToolResult {
  const isResult =
    typeof value === 'object' && value !== null && 'content' in value && !Array.isArray(value);
  return isResult ? value : { content: value ?? '' };
}
