import type { HarnessCtx } from '@vf/core';
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
export function mcpFile(mcp: HarnessCtx['mcp']): string {
  const mcpServers = Object.fromEntries(
    mcp.map(({ name, url, bearer }) => [
      name,
      { url, headers: { Authorization: `Bearer ${bearer}` }, toolTimeoutMs: dayMs },
    ]),
  );
  return JSON.stringify({ mcpServers });
}
