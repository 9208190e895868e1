/** An MCP server that a task brings; it is started, or reached, from within the box. */
export type TaskMcpServer =
  | {
      readonly transport: 'stdio';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
    }
  | {
      readonly transport: 'sse' | 'streamable-http';
      readonly name: string;
      readonly url: string;
      /** May hold credentials: keep them out of the workdir. */
      readonly headers: Readonly<Record<string, string>>;
    };
