import type { Dialect } from '@vf/core';
import { describe, expect, it } from 'vitest';
import { describeReplies } from './dialect/replies.ts';
import { describeRequests } from './dialect/requests.ts';
import type { DialectSamples } from './dialect/samples.ts';
import { describeRoutes, describeShapes } from './dialect/shapes.ts';

export type { DialectSamples, ReplySample, RequestSample } from './dialect/samples.ts';

/** What every dialect must hold, tried on the samples and on what is made from them. Call it in a vitest file. */
export function describeDialect(dialect: Dialect, samples: DialectSamples): void {
  describe(`the dialect ${dialect.id}`, () => {
    it('is a dialect of this contract', () => {
      expect(dialect).toMatchObject({ kind: 'dialect', specVersion: 1 });
      expect(dialect.id).toMatch(/^[a-z][a-z0-9-]*$/);
    });
    describeRoutes(dialect, samples);
    describeRequests(dialect, samples);
    describeReplies(dialect, samples);
    describeShapes(dialect, samples);
  });
}
