import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AbortListener, UnderWay } from './index.ts';

describe('AbortListener', () => {
  const heard = (): { reasons: unknown[]; abort(reason: unknown): void } => {
    const reasons: unknown[] = [];
    return { reasons, abort: (reason) => void reasons.push(reason) };
  };

  it('tells its target once, with the reason', () => {
    const controller = new AbortController();
    const target = heard();
    const listener = new AbortListener(controller.signal, target);
    controller.abort('stop');
    listener.release();
    expect(target.reasons).toEqual(['stop']);
  });

  it('tells nothing once it is released', () => {
    const controller = new AbortController();
    const target = heard();
    const listener = new AbortListener(controller.signal, target);
    listener.release();
    listener.release();
    controller.abort('stop');
    expect(target.reasons).toEqual([]);
  });
});

describe('UnderWay', () => {
  it('holds what has come and not left, oldest first, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(20)), { maxLength: 60 }), (steps) => {
        const list = new UnderWay<number>();
        const leaves: (() => void)[] = [];
        let expected: number[] = [];
        steps.forEach((leaving) => {
          const leave = leaving === null ? undefined : leaves[leaving];
          if (leave === undefined || leaving === null) {
            expected.push(leaves.length);
            leaves.push(list.add(leaves.length));
            return;
          }
          leave();
          expected = expected.filter((other) => other !== leaving);
        });
        expect([...list]).toEqual(expected);
        expect(list.isEmpty).toBe(expected.length === 0);
      }),
    );
  });

  it('lets items come and leave while it is read', () => {
    const list = new UnderWay<number>();
    const leaves = [1, 2, 3].map((item) => list.add(item));
    const seen: number[] = [];
    for (const item of list) {
      seen.push(item);
      leaves.forEach((leave) => leave());
      list.add(item + 10);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect([...list]).toEqual([11, 12, 13]);
  });
});
