import type { TaskMcpServer } from '@vf/core';
import type { Config } from './config.ts';

/** A silent tool is the run's business, not the agent's. */
const dayMs = 86_400_000;

/** Its definition of an agent: Kimi Code puts its own prompt, or the list of skills alone, where the braces stand. */
export function agentFile(systemPrompt: string, { systemPrompt: place }: Config): string {
  const head = '---\nname: task\ndescription: The agent of this task\n---\n';
  return place === 'append'
    ? `${head}\${base_prompt}\n\n${systemPrompt}\n`
    : `${head}${systemPrompt}\${skills_section}\n`;
}

/** Its mcp.json, with bearers in it. */
export function mcpFile(servers: readonly TaskMcpServer[]): string {
  return JSON.stringify({ mcpServers: Object.fromEntries(servers.map(mcpEntry)) });
}

function mcpEntry(server: TaskMcpServer): [string, object] {
  if (server.transport === 'stdio') {
    const { name, command, args } = server;
    return [name, { transport: 'stdio', command, args, toolTimeoutMs: dayMs }];
  }
  const { name, url, headers } = server;
  const transport = server.transport === 'sse' ? 'sse' : 'http';
  return [name, { transport, url, headers, toolTimeoutMs: dayMs }];
}
