import type { IncomingMessage, ServerResponse } from 'node:http';
import { byteIds, byteTokenizer } from '../byte-tokenizer.ts';
import { record, text } from './requests/content.ts';
import type { Route } from './routes.ts';

interface Facts {
  readonly model: string;
  readonly body: Buffer;
}

/** More than any agent says. */
const contextLength = 1_000_000;

/** Answers what is not a turn: model lists, token counts, what an engine is asked besides, probes; 404 for the rest. */
export function answerAside(
  route: Exclude<Route, { kind: 'turn' }>,
  request: IncomingMessage,
  response: ServerResponse,
  { model, body }: Facts,
): void {
  const isAnthropic = request.headers['anthropic-version'] !== undefined;
  switch (route.kind) {
    case 'probe':
      response.writeHead(200).end();
      return;
    case 'count-tokens':
      return json(response, 200, {
        object: 'response.input_tokens',
        input_tokens: Math.ceil(body.length / 4),
      });
    case 'props':
      return json(response, 200, { default_generation_settings: { n_ctx: contextLength } });
    case 'tokenize':
      return json(response, 200, { tokens: tokensOf(body) });
    case 'models':
      return json(response, 200, modelList(model, isAnthropic));
    case 'model':
      if (route.id === model) return json(response, 200, modelEntry(model, isAnthropic));
      return json(response, 404, notFound(`no model ${route.id}`, isAnthropic));
    case 'unknown':
      return json(response, 404, notFound(`no route ${request.url ?? ''}`, isAnthropic));
  }
}

/** As llama.cpp reads it: control tokens are those that are spelt, unless `parse_special` is false. */
function tokensOf(body: Buffer): readonly number[] {
  const { content, parse_special: special } = record(JSON.parse(body.toString()));
  return special === false ? byteTokenizer.encode(text(content)) : byteIds(text(content));
}

function modelList(model: string, isAnthropic: boolean): object {
  const data = [modelEntry(model, isAnthropic)];
  if (!isAnthropic) return { object: 'list', data };
  return { data, has_more: false, first_id: model, last_id: model };
}

function modelEntry(id: string, isAnthropic: boolean): object {
  if (isAnthropic)
    return { type: 'model', id, display_name: id, created_at: '2023-11-14T22:13:20Z' };
  return { id, object: 'model', created: 1_700_000_000, owned_by: 'vf-scripted' };
}

function notFound(message: string, isAnthropic: boolean): object {
  if (isAnthropic) return { type: 'error', error: { type: 'not_found_error', message } };
  return { error: { message, type: 'not_found_error', param: null, code: 'not_found' } };
}

function json(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  response.end(bytes);
}
