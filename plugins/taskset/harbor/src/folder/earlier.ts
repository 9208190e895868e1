import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import { parseTrajectory } from '../format/trajectory.ts';
import type { TaskConfig } from '../format/schema.ts';
import { isFile } from './look.ts';

const name = 'trajectory.json';

/** The conversation before a task's first instruction, and what is wrong with its file; of steps the first one's counts. */
export async function earlierConversation(
  dir: string,
  { steps }: Pick<TaskConfig, 'steps'>,
): Promise<{ readonly messages: readonly Message[]; readonly problems: readonly Problem[] }> {
  const [first] = steps;
  const places = first === undefined ? [dir] : [join(dir, 'steps', first.name), dir];
  for (const place of places) {
    const file = join(place, name);
    if (!(await isFile(file))) continue;
    const read = parseTrajectory(await readFile(file, 'utf8'));
    if ('messages' in read) return { messages: read.messages, problems: [] };
    return { messages: [], problems: read.faults.map((fault) => ({ file, ...fault })) };
  }
  return { messages: [], problems: [] };
}
