import type { HarnessCtx, HostTool, ProgramResult, ToolResult } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Config } from './config.ts';

/** bash where the box has it. Both outputs come in the order they were written. */
const launcher = 'exec 2>&1; command -v bash >/dev/null && exec bash -c "$1"; exec sh -c "$1"';

/** The tool `bash {command}`: each call is a new shell in the box's workdir. */
export function shellTool({ runtime, config, env }: HarnessCtx<Config>): HostTool {
  return {
    spec: {
      name: 'bash',
      description:
        'Runs a command in a new shell, in the working directory of the task, and returns its output. ' +
        'Variables and `cd` do not last until the next call.',
      parameters: {
        type: 'object',
        properties: { command: { type: 'string', description: 'what bash is given to run' } },
        required: ['command'],
      },
    },
    async call(argumentsJson, signal) {
      const command = commandOf(argumentsJson);
      if (command === null) return failed('the arguments must be {"command": "<text>"}');
      try {
        const result = await runtime.run(['sh', '-c', launcher, 'sh', command], {
          env,
          signal,
          timeoutMs: config.commandTimeout * 1000,
          maxOutputBytes: config.maxOutput,
        });
        return { content: describe(result, config) };
      } catch (error) {
        // A command that cannot be started (too long) is the model's to mend; a dead box is not.
        if (VfError.isInstance(error) && error.code === 'runtime/exec_failed' && !error.retryable) {
          return failed(error.message);
        }
        throw error;
      }
    },
  };
}

function commandOf(argumentsJson: string): string | null {
  try {
    const { command } = JSON.parse(argumentsJson) as { command?: unknown };
    return typeof command === 'string' ? command : null;
  } catch {
    return null;
  }
}

function describe(result: ProgramResult, config: Config): string {
  const output = result.stdout.trimEnd();
  const ending = endingOf(result, config);
  if (ending === null) return output === '' ? '[no output]' : output;
  return output === '' ? `[${ending}]` : `${output}\n[${ending}]`;
}

function endingOf(result: ProgramResult, { commandTimeout }: Config): string | null {
  if (result.timedOut) return `killed after ${commandTimeout} s`;
  if (result.oomKilled) return 'killed: out of memory';
  if (result.exitCode === null) return `ended by ${result.signal ?? 'a signal'}`;
  return result.exitCode === 0 ? null : `exit code ${result.exitCode}`;
}

function failed(content: string): ToolResult {
  return { content, isError: true };
}
