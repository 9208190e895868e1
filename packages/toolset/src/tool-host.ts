import type { FetchHandler, HostTool, ToolHost } from '@vf/core';
import { mcpContent } from './tool-content.ts';

/** Name of the one MCP server that carries a task's tools. */
const serverName = 'task';

/**
 * Serves tools as MCP over streamable HTTP, without sessions: each request stands alone, so an agent may come from
 * several processes. The SDK is loaded when the first tool is served.
 */
export const toolHost: ToolHost = {
  async serve(tools, mount) {
    const handler = await mcpHandler(tools);
    const url = mount(serverName, handler);
    return { servers: [{ name: serverName, url }], close: async () => undefined };
  },
};

async function mcpHandler(tools: readonly HostTool[]): Promise<FetchHandler> {
  const [
    { Server },
    { WebStandardStreamableHTTPServerTransport },
    { CallToolRequestSchema, ListToolsRequestSchema },
  ] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const listed = tools.map(({ spec }) => ({
    name: spec.name,
    description: spec.description ?? '',
    inputSchema: { ...spec.parameters, type: 'object' as const },
  }));
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));
  return async (request) => {
    const server = new Server(
      { name: serverName, version: '1.0.0' },
      { capabilities: { tools: {} } },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
      const tool = byName.get(params.name);
      if (tool === undefined)
        return { isError: true, content: [{ type: 'text', text: `no tool ${params.name}` }] };
      const result = await tool.call(JSON.stringify(params.arguments ?? {}), signal);
      return { content: mcpContent(result), ...(result.isError === true ? { isError: true } : {}) };
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return transport.handleRequest(request);
  };
}
