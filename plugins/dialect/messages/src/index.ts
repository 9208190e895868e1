import { defineDialect } from '@vf/core';
import { secretOf } from '@vf/core/dialect';
import { errorEvent, errorReply } from './errors.ts';
import { PlainWriter } from './reply/plain-writer.ts';
import { reader } from './reply/reader.ts';
import { StreamWriter } from './reply/stream-writer.ts';
import { request } from './request/request.ts';
import { models, routes } from './routes.ts';

export default defineDialect({
  id: 'messages',
  routes,
  turnPath: () => '/v1/messages',
  secret: (headers) => secretOf(headers, ['x-api-key']),
  headers: ['anthropic-version', '2023-06-01'],
  authorize: (key) => ['x-api-key', key],
  request,
  reader,
  writer: (options) => (options.stream ? new StreamWriter(options) : new PlainWriter(options)),
  error: errorReply,
  errorEvent,
  keepAlive: () => new TextEncoder().encode('event: ping\ndata: {"type": "ping"}\n\n'),
  models,
});
