import { defineTaskset, z } from '@vf/core';

const files = [
  {
    file: 'notes.txt',
    text: 'The colour of the sky.\nA colour chart.\n',
    find: 'colour',
    replace: 'color',
  },
  {
    file: 'settings.ini',
    text: '[server]\nport = 8080\nhost = localhost\n',
    find: '8080',
    replace: '9090',
  },
  {
    file: 'src/greet.py',
    text: 'def greet(name):\n    print("Hello " + name)\n',
    find: 'Hello',
    replace: 'Welcome',
  },
];

export default defineTaskset({
  name: 'file-edit',
  data: z.object({ file: z.string(), text: z.string(), find: z.string(), replace: z.string() }),
  load: () =>
    files.map((row) => ({
      ...row,
      key: row.file,
      prompt: `In the file ${row.file}, replace every "${row.find}" by "${row.replace}". Change nothing else.`,
    })),
  setup: ({ task, runtime }) => runtime.write(task.file, task.text),
  validate: ({ task, runtime }) => runtime.write(task.file, wanted(task)),
  rewards: {
    edited: async ({ task, runtime }) =>
      Number(new TextDecoder().decode(await runtime.read(task.file)) === wanted(task)),
  },
});

const wanted = (task: { text: string; find: string; replace: string }) =>
  task.text.replaceAll(task.find, task.replace);
