import type { ToolSpec } from '@vf/core';
import type { Reply, ScriptedRequest, ScriptFunction } from './script.ts';
import { callTool, say } from './steps.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Shell tools by name: how each agent wants a command. */
const shells: Readonly<Record<string, (command: string) => Arguments>> = {
  // Codex
  exec_command: (command) => ({ cmd: command }),
  shell: (command) => ({ command: ['sh', '-c', command] }),
  // Claude Code, Kimi Code
  Bash: (command) => ({ command, description: 'Run the scripted command' }),
  // vf's own loop, opencode, pi, mini-swe-agent
  bash: (command) => ({ command, description: 'Run the scripted command' }),
  // Gemini CLI, Qwen Code
  run_shell_command: (command) => ({ command, description: 'Run the scripted command' }),
};

/**
 * A script that solves a task in any agent with a shell: first a shell call that runs `command`, then, when its
 * result is in the prompt, `closing`. A call without a shell tool (a title, a summary) gets `closing` at once.
 * `command` may depend on the request.
 */
export function solveWithShell(
  command: string | ((request: ScriptedRequest) => string),
  closing = 'Done.',
): ScriptFunction {
  return (request) => {
    if (hasResult(request)) return say(closing);
    const wanted = typeof command === 'string' ? command : command(request);
    return shellCall(request.tools, wanted) ?? say(closing);
  };
}

/** The shell call that fits the tools at hand; null when none of them is a known shell. */
export function shellCall(tools: readonly ToolSpec[], command: string): Reply | null {
  for (const tool of tools) {
    const shell = Object.hasOwn(shells, tool.name) ? shells[tool.name] : undefined;
    if (shell === undefined) continue;
    const args = known(shell(command), tool);
    const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace };
    return callTool(tool.name, args, namespace);
  }
  return null;
}

/** Leaves out what the tool's schema does not name. */
function known(args: Arguments, tool: ToolSpec): Arguments {
  const properties = tool.parameters?.['properties'];
  if (typeof properties !== 'object' || properties === null) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => name in properties));
}

/** Has this user turn a tool result already? */
function hasResult({ messages }: ScriptedRequest): boolean {
  const lastReply = messages.findLastIndex((message) => message.role === 'assistant');
  if (lastReply < 0) return false;
  return messages.slice(lastReply).some((message) => message.role === 'tool');
}
