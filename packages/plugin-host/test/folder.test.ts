import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TestProject } from './project.ts';

test.each<[string, string, RegExp]>([
  ['tasks', 'tasks/hello/task.toml', /vf eval harbor --taskset\.path \.\/tasks$/],
  ['set', 'set/tasks/hello/task.toml', /vf eval harbor --taskset\.path \.\/set$/],
  ['task', 'task/task.toml', /vf eval harbor --taskset\.path \.\/task$/],
  ['module', 'module/index.ts', /name the file in it: \.\/module\/index\.ts$/],
  ['other', 'other/readme.md', /give the path of a module whose default export is a taskset$/],
])('a folder is refused with what to type instead: %s', async (name, file, hint) => {
  const project = new TestProject();
  project.write(`project/${file}`, '');
  const { signal } = new AbortController();
  await expect(project.host().load('taskset', `./${name}`, signal)).rejects.toMatchObject({
    code: 'plugin/unknown',
    message: `${join(project.dir, name)} is a folder, and no module`,
    hint: expect.stringMatching(hint),
  });
});
