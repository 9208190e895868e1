import type { Message } from '@vf/core';
import { describe, expect, it } from 'vitest';
import { corpus } from './corpus.ts';
import type { Case } from './corpus.ts';
import { rendererOf, subjects } from './families.ts';
import type { Subject } from './families.ts';

const families = [...new Map(subjects.map((subject) => [subject.family.id, subject])).values()];

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

interface Outcome {
  readonly compared: number;
  readonly refused: number;
}

/** Bridges each turn of a conversation whose full render keeps its old tokens, and compares. */
function bridgeAll(subject: Subject, { messages, tools = [] }: Case): Outcome {
  const renderer = rendererOf(subject);
  let [compared, refused] = [0, 0];
  for (const { reply, end } of turnsOf(messages)) {
    const prompt = renderer.render({ messages: messages.slice(0, reply), tools }).tokenIds;
    const whole = renderer.render({ messages: messages.slice(0, end), tools });
    const last = whole.sampledMask.findLastIndex(
      (bit, at) => bit === 1 && whole.messageIndices[at] === reply,
    );
    const kept = prompt.every((id, at) => whole.tokenIds[at] === id);
    if (!kept || last < prompt.length) continue;
    const completionIds = whole.tokenIds.slice(prompt.length, last + 1);
    const bridged = renderer.bridge({
      previous: { promptIds: prompt, completionIds },
      messages: messages.slice(0, end),
      from: reply + 1,
      tools,
    });
    if (bridged === null) refused++;
    else {
      compared++;
      expect([...bridged.tokenIds]).toEqual([...whole.tokenIds]);
      const spans = whole.spans.slice(reply + 1);
      expect(bridged.spans.map((span) => span?.[1])).toEqual(spans.map((span) => span?.[1]));
      const start = prompt.length + completionIds.length;
      expect(bridged.isContent.slice(start)).toEqual(whole.isContent.slice(start));
    }
  }
  return { compared, refused };
}

describe.each(families)('$family.id', (subject) => {
  it('bridges to what a full render says', () => {
    let [compared, refused] = [0, 0];
    for (const entry of corpus) {
      if (subject.refuses.includes(entry.name)) continue;
      const outcome = bridgeAll(subject, entry);
      compared += outcome.compared;
      refused += outcome.refused;
    }
    expect(compared).toBeGreaterThan(5);
    const drops = rendererOf(subject).retention === 'tool_cycle';
    if (!drops) expect(refused).toBe(0);
  });
});
