import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchHandler, HostTool } from '@vf/core';
import { afterEach, expect, test } from 'vitest';
import { toolHost } from './tool-host.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('an MCP client lists and calls the tools', async () => {
  const client = await connect([adder]);
  const { tools } = await client.listTools();
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['add', 'Adds two numbers'],
  ]);
  expect(tools[0]?.inputSchema.required).toEqual(['a', 'b']);
  const result = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
  expect(result.content).toEqual([{ type: 'text', text: '5' }]);
});

test('an error of a tool is a result that says so', async () => {
  const client = await connect([
    { ...adder, call: async () => ({ content: 'no such file', isError: true }) },
  ]);
  expect(await client.callTool({ name: 'add', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: 'no such file' }],
  });
});

test('an unknown tool is an error result', async () => {
  const client = await connect([adder]);
  expect(await client.callTool({ name: 'subtract', arguments: {} })).toMatchObject({
    isError: true,
  });
});

test('images and objects keep their form', async () => {
  const content = [
    { type: 'text', text: 'a dot' },
    { type: 'image', url: 'data:image/png;base64,AAAA' },
    { x: 1 },
  ];
  const client = await connect([{ ...adder, call: async () => ({ content }) }]);
  const result = await client.callTool({ name: 'add', arguments: {} });
  expect(result.content).toEqual([
    { type: 'text', text: 'a dot' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    { type: 'text', text: '{"x":1}' },
  ]);
});

test('calls at once do not mix', async () => {
  const client = await connect([adder]);
  const sums = await Promise.all(
    Array.from({ length: 50 }, (_, a) => client.callTool({ name: 'add', arguments: { a, b: 1 } })),
  );
  expect(sums.map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual(
    sums.map((_, a) => String(a + 1)),
  );
});

const adder: HostTool = {
  spec: {
    name: 'add',
    description: 'Adds two numbers',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
  call: async (json) => {
    const { a, b } = JSON.parse(json) as { a: number; b: number };
    return { content: a + b };
  },
};

async function connect(tools: readonly HostTool[]): Promise<Client> {
  let url = '';
  const { promise, resolve } = Promise.withResolvers<FetchHandler>();
  await toolHost.serve(tools, (_name, handler) => {
    resolve(handler);
    return 'http://127.0.0.1/mcp';
  });
  url = await serve(await promise);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  closers.push(() => client.close());
  return client;
}

/** A fetch handler on a real socket. */
async function serve(handler: FetchHandler): Promise<string> {
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const headers = Object.entries(req.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    );
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const response = await handler(
      new Request(`http://localhost${req.url}`, { method: req.method ?? 'GET', headers, ...body }),
    );
    res.writeHead(response.status, Object.fromEntries(response.headers));
    res.end(Buffer.from(await response.arrayBuffer()));
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closers.push(() => new Promise((closed) => server.close(closed)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
