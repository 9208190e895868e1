import type { HarnessCtx, HostTool } from '@vf/core';

/** The tool `bash {command}`: each call is a new shell in the workdir of the box. */
export function bash({ runtime, env }: HarnessCtx<object>): HostTool {
  return {
    spec: {
      name: 'bash',
      description: 'Runs a command and returns its output',
      parameters: {
        type: 'object',
        properties: { command: { type: 'string' } },
        required: ['command'],
      },
    },
    async call(argumentsJson, signal) {
      const command = commandIn(argumentsJson);
      if (command === null)
        return { content: 'the arguments must be {"command": "<text>"}', isError: true };
      const { stdout, stderr, exitCode } = await runtime.run(['sh', '-c', command], {
        env,
        signal,
        timeoutMs: 120_000,
      });
      return { content: `${stdout}${stderr}[exit code ${exitCode}]` };
    },
  };
}

/** What a model sends is not always what it was asked for. */
function commandIn(argumentsJson: string): string | null {
  try {
    const { command } = JSON.parse(argumentsJson) as { command?: unknown };
    return typeof command === 'string' ? command : null;
  } catch {
    return null;
  }
}
