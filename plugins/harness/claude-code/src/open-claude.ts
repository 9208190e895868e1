import type { AgentSession, HarnessCtx } from '@vf/core';
import {
  allMcpServers,
  cliSession,
  linkSkills,
  mcpServersJson,
  npmProgram,
  requireShell,
} from '@vf/harness-kit';
import type { Config } from './config.ts';
import { environmentOf } from './environment.ts';
import { evidenceOf } from './evidence.ts';
import { programOf } from './program.ts';

/** One `claude -p` a turn; the prompt goes in by standard input, since an argument holds 128 KiB at most. */
export async function openClaude(ctx: HarnessCtx<Config>): Promise<AgentSession> {
  const program = await npmProgram(programOf(ctx.config), ctx.runtime, ctx.signal);
  await requireShell('Claude Code', ['bash', 'zsh'], ctx.runtime, ctx.signal);
  // Of the rollout: agents that share a box keep apart.
  const home = `${ctx.runtime.home}/.claude-${ctx.rolloutId}`;
  const at = filesIn(home);
  await linkSkills(ctx.runtime, ctx.skills, `${home}/skills`, ctx.signal);
  return cliSession({
    ctx,
    files: {
      [at.key]: ctx.endpoint.bearer,
      [at.settings]: JSON.stringify({ apiKeyHelper: `cat '${at.key}'`, ...ctx.config.settings }),
      ...(ctx.systemPrompt === null ? {} : { [at.systemPrompt]: ctx.systemPrompt }),
      ...(allMcpServers(ctx).length === 0 ? {} : { [at.mcp]: mcpServersJson(ctx) }),
    },
    command: (prompt, session) => ({
      argv: [program, ...flagsOf(ctx, at), ...(session === null ? [] : ['--resume', session])],
      env: environmentOf(ctx, home),
      stdin: prompt,
    }),
    evidence: evidenceOf,
  });
}

type Files = ReturnType<typeof filesIn>;

function filesIn(home: string) {
  return {
    key: `${home}/bearer`,
    settings: `${home}/settings.json`,
    systemPrompt: `${home}/system-prompt.md`,
    mcp: `${home}/mcp.json`,
  };
}

const coreTools = 'Bash,Read,Edit,Write,Glob,Grep';

function flagsOf(ctx: HarnessCtx<Config>, at: Files): string[] {
  const { config, model, systemPrompt } = ctx;
  const promptFlag =
    config.systemPrompt === 'append' ? '--append-system-prompt-file' : '--system-prompt-file';
  return [
    '-p',
    '--model',
    model,
    '--dangerously-skip-permissions',
    '--output-format',
    'stream-json',
    '--verbose',
    '--strict-mcp-config',
    ...(allMcpServers(ctx).length === 0 ? [] : ['--mcp-config', at.mcp]),
    ...(systemPrompt === null ? [] : [promptFlag, at.systemPrompt]),
    ...(config.extraTools ? [] : ['--tools', coreTools]),
    ...(config.maxTurns === undefined ? [] : ['--max-turns', String(config.maxTurns)]),
  ];
}
