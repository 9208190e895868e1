import type { ScriptedRequest, ScriptFunction } from './script.ts';
import { shellCall } from './shell-call.ts';
import { say } from './steps.ts';

/**
 * A script that solves a task in any agent with a shell tool: first a shell call that runs `command`, then, when its
 * result is in the prompt, `closing`. A call without a shell tool (a title, a summary) gets `closing` at once.
 * `command` may depend on the request. With `fitting` it also solves in agents without tools.
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

/** Has this user turn a tool result already? */
function hasResult({ messages }: ScriptedRequest): boolean {
  const lastReply = messages.findLastIndex((message) => message.role === 'assistant');
  if (lastReply < 0) return false;
  return messages.slice(lastReply).some((message) => message.role === 'tool');
}
