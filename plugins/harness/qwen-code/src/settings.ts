import type { TaskMcpServer } from '@vf/core';
import type { Config } from './config.ts';

/** A silent model or tool is the run's business, not the agent's. */
const dayMs = 86_400_000;

/**
 * Its settings.json for one rollout: no memory agent beside the chat, all tools in sight, no updates or statistics, and
 * of its two layers of retries the one that has a switch off.
 */
export function settingsOf({ contextWindow, settings }: Config): object {
  return {
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    tools: { toolSearch: { enabled: false } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    model: {
      generationConfig: { maxRetries: 0, timeout: dayMs, contextWindowSize: contextWindow },
    },
    ...settings,
  };
}

/** Its list of MCP servers, with bearers in it. */
export function mcpServersOf(servers: readonly TaskMcpServer[]): object {
  return { mcpServers: Object.fromEntries(servers.map(mcpEntry)) };
}

function mcpEntry(server: TaskMcpServer): [string, object] {
  const common = { trust: true, timeout: dayMs };
  if (server.transport === 'stdio')
    return [server.name, { command: server.command, args: server.args, ...common }];
  const { name, url, headers, transport } = server;
  return [name, { [transport === 'sse' ? 'url' : 'httpUrl']: url, headers, ...common }];
}
