import { defineTaskset, z } from '@vf/core';
import { judge, simulatedUser } from '@vf/judge';

const letter = judge({
  name: 'letter',
  criteria: {
    facts: {
      weight: 2,
      text: 'The last letter holds every fact that the task gives, and no other.',
    },
    asked: { weight: 2, text: 'The last letter has the change that the user asked for.' },
    tone: 'It is friendly and plain.',
    flowery: { weight: -1, text: 'It uses more than one exclamation mark.' },
  },
  votes: 3,
  show: 'transcript',
});

const sender = simulatedUser({
  name: 'sender',
  persona: 'Busy, kind, writes in half sentences.',
  goal: 'A letter of at most three sentences that ends with your name, Kim.',
  maxTurns: 3,
});

export default defineTaskset({
  data: z.object({ occasion: z.string() }),
  load: () =>
    [
      { key: 'party', occasion: 'a party on Friday at eight, with music until eleven' },
      { key: 'parcel', occasion: 'a parcel for Sam that is at your door since Monday' },
    ].map((row) => ({
      ...row,
      prompt: `Write a short letter to my neighbours about ${row.occasion}.`,
    })),
  next: sender,
  rewards: { letter },
  metrics: {
    words: ({ trace }) => trace.lastReply?.split(/\s+/).length ?? null,
  },
});
