import type { McpServer } from '@vf/core';

/** The `mcpServers` file that most agents read, with bearers in it: keep it out of the workdir. */
export function mcpServersJson(servers: readonly McpServer[]): string {
  const mcpServers = Object.fromEntries(
    servers.map(({ name, url, bearer }) => [
      name,
      { type: 'http', url, headers: { Authorization: `Bearer ${bearer}` } },
    ]),
  );
  return JSON.stringify({ mcpServers });
}
