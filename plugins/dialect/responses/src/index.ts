import { defineDialect } from '@vf/core';
import { secretOf } from '@vf/core/dialect';
import { errorEvent, errorReply } from './errors.ts';
import { reader } from './reply/reader.ts';
import { writer } from './reply/writer.ts';
import { request } from './request/request.ts';
import { models, routes } from './routes.ts';

export default defineDialect({
  id: 'responses',
  routes,
  turnPath: () => '/v1/responses',
  secret: (headers) => secretOf(headers, []),
  authorize: (key) => ['authorization', `Bearer ${key}`],
  request,
  reader,
  writer,
  error: errorReply,
  errorEvent,
  keepAlive: () => new TextEncoder().encode(': keepalive\n'),
  models,
});
