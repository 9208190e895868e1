import type { z } from 'zod';

/** A tool of the taskset. `run` gives text or JSON; what it throws goes to the agent, and the rollout goes on. */
export interface Tool<Input, Ctx> {
  description: string;
  input: z.ZodType<Input>;
  timeoutMs?: number;
  run: (input: Input, ctx: Ctx) => unknown;
}

/** Tools by name, each with its own input. */
export type Tools<Inputs, Ctx> = { [Name in keyof Inputs]: Tool<Inputs[Name], Ctx> };

/** A tool whose schema is known only at run time. */
export interface RawTool {
  description: string;
  inputSchema: object;
  timeoutMs?: number;
  run(input: unknown, signal: AbortSignal): unknown;
}

/** What a tool may return instead of plain content: `end` stops the rollout after this result. */
export interface ToolResult {
  readonly content: unknown;
  readonly isError?: boolean;
  readonly end?: { readonly reason: string; readonly rewards?: Readonly<Record<string, number>> };
}
