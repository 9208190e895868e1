import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { cacheDir } from '@vf/runtime-kit';

/**
 * What a registry says of something that never changes, such as a numbered version: asked for, and kept for when the
 * registry cannot be reached.
 */
export async function remembered(key: string, ask: () => Promise<unknown>): Promise<unknown> {
  const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
  const file = join(cacheDir(), 'harbor', 'registry', `${name}.json`);
  try {
    const answer = await ask();
    await keep(file, answer);
    return answer;
  } catch (error) {
    // One that answers, even with a refusal, has a status.
    if (!VfError.isInstance(error) || error.status !== null || error.cause === undefined)
      throw error;
    const kept = await readFile(file, 'utf8').catch(() => null);
    if (kept === null) throw error;
    return JSON.parse(kept);
  }
}

async function keep(file: string, answer: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(part, JSON.stringify(answer));
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}
