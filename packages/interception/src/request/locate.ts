import type { Dialect } from '@vf/core';
import { commonItems } from './head.ts';
import type { Head, Runs } from './head.ts';
import { skipSpace, walkItems, walkMembers } from './json-walk.ts';
import type { Span } from './json-walk.ts';
import { ownBytes } from './own-bytes.ts';
import type { Rope } from './rope.ts';
import { Shell, arrayOf } from './shell.ts';

/** A body's shell, and the span of its items between the brackets of the growing array; null when it has none. */
export interface Place {
  readonly shell: Shell;
  readonly items: Span | null;
}

/** What was sent before. */
export interface Sent {
  readonly shells: readonly Shell[];
  readonly heads: readonly Head[];
}

/**
 * Ways to read a body as a shell around items, the cheapest first. The items of a place are not validated yet: when
 * they do not parse, the next place may be right (`…],"tools":[…]}` ends like `…]}`).
 */
export function* places(
  dialect: Pick<Dialect, 'request'>,
  rope: Rope,
  sent: Sent,
  runs: Runs,
): Generator<Place, void, void> {
  const opened = sent.shells.filter((shell) => shell.split !== null && rope.holds(0, shell.before));
  for (const shell of opened) {
    const end = rope.length - shell.after.length;
    if (end >= shell.before.length && rope.holds(end, shell.after))
      yield { shell, items: { start: shell.before.length, end } };
  }
  const starts = new Map(opened.map((shell) => [shell.before.length, shell]));
  for (const like of starts.values()) {
    const place = placeFrom(dialect, rope, like, sent.heads, runs);
    if (place !== null) yield place;
  }
  const place = placeAnew(dialect, rope, sent.shells[0]);
  if (place !== null) yield place;
}

/** The array begins where one began before; what follows the items is new. */
function placeFrom(
  dialect: Pick<Dialect, 'request'>,
  rope: Rope,
  like: Shell,
  heads: readonly Head[],
  runs: Runs,
): Place | null {
  const start = like.before.length;
  let known = 0;
  for (const head of heads) {
    const count = commonItems(head, rope, start, rope.length, runs);
    known = Math.max(known, head.items.list[count - 1]?.end ?? 0);
  }
  const rest = rope.piece(start + known, rope.length);
  const first = known === 0 ? 0 : skipComma(rest);
  const walked = walkItems(rest, first);
  if (walked === null) return null;
  const end = start + known + walked.end;
  const bytes = ownBytes([...rope.slice(0, start), rest.subarray(walked.end)]);
  const shell = Shell.parse(dialect, bytes, start, like);
  return shell === null ? null : { shell, items: { start, end } };
}

/** Offset after the comma that parts the next item from the last; 0 when there is none. */
export function skipComma(bytes: Buffer): number {
  const at = skipSpace(bytes, 0);
  return bytes[at] === 0x2c ? at + 1 : 0;
}

function placeAnew(
  dialect: Pick<Dialect, 'request'>,
  rope: Rope,
  like: Shell | undefined,
): Place | null {
  const body = rope.piece(0, rope.length);
  const members = walkMembers(body);
  const array = members === null ? null : arrayOf(body, members, dialect.request.growing);
  if (array === null) {
    const shell = Shell.parse(dialect, ownBytes([body]), null, like);
    return shell === null ? null : { shell, items: null };
  }
  const items = { start: array.start + 1, end: array.end - 1 };
  const bytes = ownBytes([body.subarray(0, items.start), body.subarray(items.end)]);
  const shell = Shell.parse(dialect, bytes, items.start, like);
  return shell === null ? null : { shell, items };
}
