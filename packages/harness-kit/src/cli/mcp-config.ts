import type { HarnessCtx, TaskMcpServer } from '@vf/core';

/** The `mcpServers` file that most agents read, with bearers in it: keep it out of the workdir. */
export function mcpServersJson(ctx: Pick<HarnessCtx, 'mcp' | 'taskMcp'>): string {
  const mcpServers = Object.fromEntries(allMcpServers(ctx).map(entryOf));
  return JSON.stringify({ mcpServers });
}

/** All servers that an agent is handed, in one form: the task's tools, which vf serves, and what the task brings. */
export function allMcpServers({
  mcp,
  taskMcp = [],
}: Pick<HarnessCtx, 'mcp' | 'taskMcp'>): readonly TaskMcpServer[] {
  const served = mcp.map(({ name, url, bearer }) => ({
    transport: 'streamable-http' as const,
    name,
    url,
    headers: { Authorization: `Bearer ${bearer}` },
  }));
  return [...served, ...taskMcp];
}

function entryOf(server: TaskMcpServer): [string, object] {
  if (server.transport === 'stdio') {
    const { name, command, args } = server;
    return [name, { type: 'stdio', command, args }];
  }
  const { name, url, headers, transport } = server;
  return [name, { type: transport === 'sse' ? 'sse' : 'http', url, headers }];
}
