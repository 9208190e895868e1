import { defineDialect } from '@vf/core';
import { authorize, secret } from './credentials.ts';
import { error, errorEvent } from './error-shape.ts';
import { models } from './models.ts';
import { responsesReader } from './reply/reader.ts';
import { responsesWriter } from './reply/writer.ts';
import { requestFormat } from './request/format.ts';
import { routes } from './routes.ts';

/** OpenAI Responses. */
export default defineDialect({
  id: 'responses',
  routes,
  turnPath: () => '/v1/responses',
  secret,
  authorize,
  request: requestFormat,
  reader: responsesReader,
  writer: responsesWriter,
  error,
  errorEvent,
  keepAlive: () => new TextEncoder().encode(': keepalive\n'),
  models,
});
