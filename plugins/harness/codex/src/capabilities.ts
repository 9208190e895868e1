import type { Capabilities } from '@vf/core';
import type { Config } from './config.ts';

export const capabilities: Capabilities = {
  mcp: true,
  taskMcp: ['stdio', 'streamable-http'],
  systemPrompt: 'append',
  resume: true,
  skills: true,
};

const providerTools = { what: 'web search', off: 'harness.extra_tools = false' };

/** Codex has its provider search the web unless that is switched off. */
export function capabilitiesOf({ extraTools, settings }: Config): Capabilities {
  const searches = extraTools && settings['web_search'] !== 'disabled';
  return searches ? { ...capabilities, providerTools } : capabilities;
}
