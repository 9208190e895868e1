import type { CallError, CallErrorCode, Dialect } from '@vf/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectSamples } from './samples.ts';
import { eventsOf, headOf, readAll, readSample } from './wire.ts';

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const failures: readonly CallError[] = [
  { status: 400, code: 'refused', message: 'the rollout is over' },
  { status: 400, code: 'invalid', message: 'no such field' },
  { status: 400, code: 'context_length', message: 'the prompt is too long' },
  { status: 401, code: 'auth', message: 'unknown key' },
  { status: 404, code: 'not_found', message: 'no such model' },
  { status: 413, code: 'invalid', message: 'the body is too large' },
  { status: 429, code: 'rate_limit', message: 'slow down', retryAfterMs: 2000 },
  { status: 503, code: 'overloaded', message: 'overloaded' },
  { status: 502, code: 'unreachable', message: 'no connection' },
  { status: 500, code: 'provider', message: 'it broke' },
];

/** Codes that a reader must tell apart, since what follows depends on them. */
const distinct: ReadonlySet<CallErrorCode> = new Set([
  'context_length',
  'auth',
  'not_found',
  'rate_limit',
  'overloaded',
]);

export function describeShapes(dialect: Dialect, samples: DialectSamples): void {
  describe('what the server says itself', () => {
    it.each(failures)('an error of its shape: $status $code', (failure) => {
      const { head, body } = dialect.error(failure);
      expect(head.status).toBe(failure.status);
      expect(headerOf(head.headers, 'content-type')).toContain('application/json');
      const { reply } = readAll(dialect, [{ name: null, data: decode(body) }], {
        stream: false,
        head,
      });
      expect(reply.message).toBeNull();
      expect(reply.error).toMatchObject({ status: failure.status, ...toldCode(failure) });
      expect(reply.error?.message).toContain(failure.message);
      expect(reply.error?.retryAfterMs).toBe(failure.retryAfterMs);
    });

    it('a refusal that its clients do not try again', () => {
      const { head } = dialect.error({
        status: 400,
        code: 'refused',
        message: 'the rollout is over',
      });
      expect(head.status).toBe(400);
      expect(headerOf(head.headers, 'x-should-retry')).toBe(
        (samples.obeysShouldRetry ?? true) ? 'false' : null,
      );
    });

    it.each(failures)('an error event: $status $code', (failure) => {
      const { events, reply } = readAll(dialect, eventsOf(decode(dialect.errorEvent(failure))), {
        stream: true,
      });
      expect(events.some((event) => event.error !== undefined)).toBe(true);
      expect(reply.error?.message).toContain(failure.message);
      expect(reply.error).toMatchObject(toldCode(failure));
    });

    it.each(samples.replies.filter(({ stream }) => stream))(
      'keep-alives that change nothing: $name',
      (sample) => {
        const alive = decode(dialect.keepAlive());
        expect(alive.endsWith('\n')).toBe(true);
        const kept = sample.body.replace(/(\r?\n)\1/g, (end) => `${end}${alive}`);
        const read = readAll(dialect, eventsOf(`${alive}${kept}`), {
          stream: true,
          head: sample.head ?? headOf(true),
        });
        expect(read.reply).toEqual(readSample(dialect, sample).reply);
      },
    );

    it('a model list with the ids', () => {
      const ids = ['m-1', 'org/model:2'];
      const list = JSON.stringify(JSON.parse(decode(dialect.models(ids))));
      for (const id of ids) expect(list).toContain(JSON.stringify(id));
    });
  });
}

export function describeRoutes(dialect: Dialect, samples: DialectSamples): void {
  const kindOf = (method: string, path: string): string | undefined =>
    dialect.routes.find((route) => route.method === method && route.path.test(path))?.kind;
  const prefix = fc.array(fc.stringMatching(/^[a-zA-Z0-9._~-]{1,12}$/), { maxLength: 4 });

  describe('routes and keys', () => {
    it('finds its turns below any prefix', () => {
      const turn = dialect.turnPath({ model: 'm', stream: false });
      const paths = [turn, ...samples.requests.map(({ path }) => path)].map(withoutQuery);
      fc.assert(
        fc.property(prefix, fc.constantFrom(...paths), (segments, path) => {
          expect(kindOf('POST', [...segments.map((segment) => `/${segment}`), path].join(''))).toBe(
            'turn',
          );
        }),
      );
      expect(kindOf('POST', '/v1/something-else')).toBeUndefined();
    });

    it('keeps no state between matches', () => {
      for (const { path } of dialect.routes) expect(path.flags).not.toMatch(/[gy]/);
    });

    it.each(samples.secrets)('finds the key: %o', ({ headers, url }) => {
      const found = dialect.secret(headers, new URL(url ?? 'http://host/v1'));
      expect(found?.value).toBe('sample-key');
      expect(found?.header ?? found?.query).toBeDefined();
    });

    it('finds no key where there is none, in whatever headers', () => {
      expect(
        dialect.secret(['content-type', 'application/json'], new URL('http://host/v1')),
      ).toBeNull();
      fc.assert(
        fc.property(fc.array(fc.string()), (headers) => {
          const found = dialect.secret(headers, new URL('http://host/v1'));
          expect(found === null || found.value.length > 0).toBe(true);
        }),
      );
    });

    it('carries a key where it finds one', () => {
      const headers = dialect.authorize('provider-key');
      expect(headers.length % 2).toBe(0);
      expect(dialect.secret(headers, new URL('http://host/v1'))?.value).toBe('provider-key');
    });
  });
}

function toldCode({ code }: CallError): { readonly code?: CallErrorCode } {
  return distinct.has(code) ? { code } : {};
}

function headerOf(headers: readonly string[], name: string): string | null {
  const at = headers.findIndex((header, index) => index % 2 === 0 && header.toLowerCase() === name);
  return at < 0 ? null : (headers[at + 1] ?? null);
}

function withoutQuery(path: string): string {
  return path.split('?')[0] ?? path;
}
