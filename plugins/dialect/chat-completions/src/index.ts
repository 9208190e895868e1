import { defineDialect } from '@vf/core';
import { secretOf } from '@vf/core/dialect';
import { errorEvent, errorReply } from './errors.ts';
import { PlainWriter } from './reply/plain-writer.ts';
import { reader } from './reply/reader.ts';
import { StreamWriter } from './reply/stream-writer.ts';
import { request } from './request/request.ts';
import { models, routes } from './routes.ts';

export default defineDialect({
  id: 'chat-completions',
  routes,
  turnPath: () => '/v1/chat/completions',
  secret: (headers) => secretOf(headers, []),
  authorize: (key) => ['authorization', `Bearer ${key}`],
  request,
  reader,
  writer: (options) => (options.stream ? new StreamWriter(options) : new PlainWriter(options)),
  error: errorReply,
  errorEvent,
  keepAlive: () => new TextEncoder().encode(': keepalive\n'),
  models,
});
