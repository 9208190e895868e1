import type { AgentSession, HarnessCtx } from '@vf/core';
import { cliSession, linkSkills, npmProgram } from '@vf/harness-kit';
import { stringify } from 'smol-toml';
import type { Config } from './config.ts';
import { evidenceOf } from './evidence.ts';
import { programOf } from './program.ts';
import { keyVariable, mcpVariable, settingsOf } from './settings.ts';

/** One `codex exec` a turn; the prompt goes in by standard input, since an argument holds 128 KiB at most. */
export async function openCodex(ctx: HarnessCtx<Config>): Promise<AgentSession> {
  const program = await npmProgram(programOf(ctx.config), ctx.runtime, ctx.signal);
  // Of the rollout: agents that share a box keep apart.
  const home = `${ctx.runtime.home}/.codex-${ctx.rolloutId}`;
  const promptFile = `${home}/instructions.md`;
  await linkSkills(ctx.runtime, ctx.skills, `${home}/skills`, ctx.signal);
  return cliSession({
    ctx,
    files: {
      [`${home}/config.toml`]: stringify(settingsOf(ctx, promptFile)),
      ...(ctx.systemPrompt === null ? {} : { [promptFile]: ctx.systemPrompt }),
    },
    command: (prompt, session) => ({
      argv: [program, ...flags, ...(session === null ? [] : ['resume', session]), '-'],
      env: { CODEX_HOME: home, ...bearers(ctx) },
      stdin: prompt,
    }),
    evidence: evidenceOf,
  });
}

const flags = [
  'exec',
  '--json',
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
];

function bearers({ endpoint, mcp }: HarnessCtx<Config>): Record<string, string> {
  const ofServers = mcp.map(({ bearer }, index) => [mcpVariable(index), bearer]);
  return { [keyVariable]: endpoint.bearer, ...Object.fromEntries(ofServers) };
}
