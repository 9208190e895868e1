import { readFileSync } from 'node:fs';
import type { ReplySample, RequestSample } from './samples.ts';

/** One exchange with a real server, as it was recorded. */
export interface EngineCase {
  readonly engine: string;
  readonly case: string;
  readonly request: { readonly path: string; readonly body: Readonly<Record<string, unknown>> };
  readonly response: {
    readonly status: number;
    readonly content_type: string;
    /** Text of a stream, or a parsed body. */
    readonly body: unknown;
  };
}

/** The values of a file with a line of JSON for each. */
export function recordedLines(file: URL): readonly unknown[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

export function bodyText({ body }: EngineCase['response']): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

export function requestSampleOf({
  engine,
  case: name,
  request: { path, body },
}: EngineCase): RequestSample {
  return { name: `${engine} ${name}`, path, body };
}

export function replySampleOf({ engine, case: name, response }: EngineCase): ReplySample {
  return {
    name: `${engine} ${name}`,
    stream: response.content_type.startsWith('text/event-stream'),
    body: bodyText(response),
  };
}
