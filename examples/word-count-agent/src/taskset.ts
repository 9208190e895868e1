import { defineTaskset, z } from '@vf/core';

const texts = {
  'poem.txt': 'The heron stands\nin the shallow water\nand waits.\n',
  'list.txt': 'one two three four\nfive\n',
  'empty.txt': '',
};

export default defineTaskset({
  data: z.object({ file: z.string(), content: z.string() }),
  load: () =>
    Object.entries(texts).map(([file, content]) => ({
      key: file,
      prompt: `How many words are in ${file}? Answer with the number.`,
      file,
      content,
    })),
  setup: ({ task, runtime }) => runtime.write(task.file, task.content),
  validate: ({ task }) => ({ reply: String(wordsIn(task.content)) }),
  rewards: {
    right: ({ task, trace }) =>
      Number(trace.lastReply?.match(/\d+/g)?.at(-1) === String(wordsIn(task.content))),
  },
});

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0;
