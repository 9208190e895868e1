import type { TaskMcpServer } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { HarborTask } from '../folder/harbor-task.ts';
import { resolveHeader } from '../format/mcp-server.ts';
import type { Ctx } from './play.ts';

/**
 * The servers that the agent is handed; what headers stand for is looked up now and kept nowhere.
 * @throws VfError taskset/setup_failed for a variable that is not set
 */
export function mcpServersOf(
  { config, name: task }: Pick<HarborTask, 'config' | 'name'>,
  ctx: Pick<Ctx, 'secret'>,
): TaskMcpServer[] {
  return config.environment.mcp_servers.map((server): TaskMcpServer => {
    const { name, transport, url = '', command = '', args } = server;
    if (transport === 'stdio') return { name, transport, command, args };
    const headers = Object.entries(server.headers).map(([header, value]) => [
      header,
      resolveHeader(
        value,
        (variable) => ctx.secret(variable),
        (variable) => {
          const where = `task ${task}: header ${header} of the MCP server ${name}`;
          throw new VfError(
            'taskset/setup_failed',
            `${where} needs ${variable}, which is not set`,
            {
              hint: `export ${variable}=…`,
            },
          );
        },
      ),
    ]);
    return { name, transport, url, headers: Object.fromEntries(headers) };
  });
}
