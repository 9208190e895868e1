import type { ToolSpec } from '@vf/core';
import type { Reply } from './script.ts';
import { callTool } from './steps.ts';

/**
 * The call of a task's tool by whatever name the agent offers it: in a namespace, as `mcp__SERVER__NAME`,
 * `SERVER_NAME`, or plainly. null when it is not offered.
 */
export function toolCall(
  tools: readonly ToolSpec[],
  name: string,
  args: string | object,
): Reply | null {
  const tool = offered(tools, name);
  return tool === undefined ? null : callTool(tool, args);
}

/** One of a server goes before one of the agent's own that is called the same. */
function offered(tools: readonly ToolSpec[], name: string): ToolSpec | undefined {
  const isPlain = (tool: ToolSpec): boolean => tool.name === name;
  const isPrefixed = (tool: ToolSpec): boolean =>
    tool.name.endsWith(name) && /[_.:/-]$/.test(tool.name.slice(0, -name.length));
  return (
    tools.find((tool) => isPlain(tool) && tool.namespace !== undefined) ??
    tools.find((tool) => isPrefixed(tool) && tool.name.startsWith('mcp')) ??
    tools.find(isPlain) ??
    tools.find(isPrefixed)
  );
}
