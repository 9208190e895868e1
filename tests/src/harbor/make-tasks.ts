import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface MadeTask {
  readonly toml?: string;
  readonly solution?: string;
  readonly tests?: string;
  /** More files, by their paths in the task. */
  readonly files?: Readonly<Record<string, string>>;
}

const image = '[environment]\ndocker_image = "debian:bookworm"\nworkdir = "/app"\n';

/** A folder of tasks, by the names of their own folders; gone after the test. Scripts have no exec bit. */
export async function makeTasks(tasks: Readonly<Record<string, MadeTask>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'vf-harbor-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, { toml = image, solution, tests, files }] of Object.entries(tasks)) {
    const all = {
      'task.toml': toml,
      'instruction.md': 'Do it.\n',
      'environment/.keep': '',
      ...(solution === undefined ? {} : { 'solution/solve.sh': solution }),
      ...(tests === undefined ? {} : { 'tests/test.sh': tests }),
      ...files,
    };
    for (const [path, content] of Object.entries(all)) {
      await mkdir(dirname(join(root, name, path)), { recursive: true });
      await writeFile(join(root, name, path), content);
    }
  }
  return root;
}

/** Tests that write this down as the reward. */
export function writes(reward: string): string {
  return `#!/bin/sh\nprintf '%s' '${reward}' > /logs/verifier/reward.txt\n`;
}
