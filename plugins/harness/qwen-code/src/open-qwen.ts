import type { AgentSession, HarnessCtx } from '@vf/core';
import { allMcpServers, cliSession, linkSkills, npmProgram, requireShell } from '@vf/harness-kit';
import type { Config } from './config.ts';
import { authTypeOf, modelVariables } from './dialects.ts';
import type { Dialect } from './dialects.ts';
import { evidenceOf } from './evidence.ts';
import { programOf } from './program.ts';
import { mcpServersOf, settingsOf } from './settings.ts';

/** One `qwen` a turn; the prompt goes in by standard input, since an argument holds 128 KiB at most. */
export async function openQwen(ctx: HarnessCtx<Config, Dialect>): Promise<AgentSession> {
  const { config, dialect, endpoint, model, runtime, signal } = ctx;
  const mcp = allMcpServers(ctx);
  const program = await npmProgram(programOf(config), runtime, signal);
  await requireShell('Qwen Code', ['bash'], runtime, signal);
  // Of the rollout: agents that share a box keep apart.
  const home = `${runtime.home}/.qwen-${ctx.rolloutId}`;
  const mcpFile = `${home}/mcp.json`;
  await linkSkills(runtime, ctx.skills, `${home}/skills`, signal);
  return cliSession({
    ctx,
    files: {
      [`${home}/settings.json`]: JSON.stringify(settingsOf(config)),
      ...(mcp.length === 0 ? {} : { [mcpFile]: JSON.stringify(mcpServersOf(mcp)) }),
    },
    command: (prompt, session) => ({
      argv: [
        program,
        ...flagsOf(ctx),
        ...(mcp.length === 0 ? [] : ['--mcp-config', mcpFile]),
        ...(session === null ? [] : ['--resume', session]),
      ],
      env: {
        QWEN_HOME: home,
        QWEN_USAGE_STATISTICS_ENABLED: '0',
        ...modelVariables(dialect, endpoint, model),
      },
      stdin: prompt,
    }),
    evidence: evidenceOf,
  });
}

function flagsOf({ config, dialect, model, systemPrompt }: HarnessCtx<Config, Dialect>): string[] {
  const promptFlag =
    config.systemPrompt === 'append' ? '--append-system-prompt' : '--system-prompt';
  return [
    '-o',
    'stream-json',
    '--yolo',
    '--auth-type',
    authTypeOf(dialect),
    '-m',
    model,
    ...(systemPrompt === null ? [] : [promptFlag, systemPrompt]),
    ...(config.maxTurns === undefined ? [] : ['--max-session-turns', String(config.maxTurns)]),
  ];
}
