import type { Message } from '@vf/core';
import { describe, expect, it } from 'vitest';
import type { Rendered } from '../src/rendered.ts';
import { corpus } from './corpus.ts';
import type { Case } from './corpus.ts';
import { rendererOf, subjects } from './families.ts';
import type { Subject } from './families.ts';

const families = [...new Map(subjects.map((subject) => [subject.family.id, subject])).values()];

/** A turn that was bridged, beside the full render of the same messages. */
interface Pair {
  readonly bridged: Rendered | null;
  readonly whole: Rendered;
  /** Messages that the previous prompt and its reply hold. */
  readonly from: number;
}

/** Where a reply is followed by messages up to the next reply or the end. */
function turnsOf(messages: readonly Message[]): { readonly reply: number; readonly end: number }[] {
  const turns: { reply: number; end: number }[] = [];
  for (const [reply, message] of messages.entries()) {
    if (message.role !== 'assistant' || reply === 0) continue;
    const next = messages.findIndex((later, at) => at > reply && later.role === 'assistant');
    const end = next < 0 ? messages.length : next;
    if (end > reply + 1) turns.push({ reply, end });
  }
  return turns;
}

/** Bridges each turn whose full render keeps the tokens that came before. */
function* bridgesOf(subject: Subject, { messages: all, tools = [] }: Case): Generator<Pair> {
  const renderer = rendererOf(subject);
  for (const { reply, end } of turnsOf(all)) {
    const messages = all.slice(0, end);
    const promptIds = renderer.render({ messages: all.slice(0, reply), tools }).tokenIds;
    const whole = renderer.render({ messages, tools });
    const last = whole.sampledMask.findLastIndex(
      (bit, at) => bit === 1 && whole.messageIndices[at] === reply,
    );
    const kept = promptIds.every((id, at) => whole.tokenIds[at] === id);
    if (!kept || last < promptIds.length) continue;
    const completionIds = whole.tokenIds.slice(promptIds.length, last + 1);
    const previous = { promptIds, completionIds };
    const bridged = renderer.bridge({ previous, messages, from: reply + 1, tools });
    yield { bridged, whole, from: reply + 1 };
  }
}

describe.each(families)('$family.id', (subject) => {
  const pairs = corpus
    .filter(({ name }) => !subject.refuses.includes(name))
    .flatMap((entry) => [...bridgesOf(subject, entry)]);
  const bridged = pairs.filter((pair) => pair.bridged !== null);

  it('bridges to what a full render says', () => {
    expect(bridged.length > 5).toBe(rendererOf(subject).retention !== 'template');
    for (const { bridged: short, whole, from } of bridged) {
      expect(short?.tokenIds).toEqual(whole.tokenIds);
      const ends = whole.spans.slice(from).map((span) => span?.[1]);
      expect(short?.spans.map((span) => span?.[1])).toEqual(ends);
      const start = short?.messageIndices.findIndex((index) => index >= 0) ?? 0;
      expect(short?.isContent.slice(start)).toEqual(whole.isContent.slice(start));
    }
  });

  it('refuses only where its policy drops reasoning', () => {
    const refused = pairs.length - bridged.length;
    expect(refused === 0 || rendererOf(subject).retention !== 'all').toBe(true);
  });
});
