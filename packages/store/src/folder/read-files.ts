import { VfError } from '@vf/core/errors';
import { readText } from '../files/plain-file.ts';
import { lockHolder, mayBeAlive } from '../lock/run-lock.ts';
import { pathIn } from './layout.ts';

/** `config.toml` of a run, as it ran. @throws VfError store/not_found, store/damaged */
export async function readConfigToml(dir: string): Promise<string> {
  const text = await readText(pathIn(dir, 'config'));
  if (text !== null) return text;
  throw new VfError('store/not_found', `${dir} has no config.toml`, {
    hint: 'vf show lists the runs',
  });
}

/** `summary.json` of a run; null until a first session of it ended. @throws VfError store/damaged */
export async function readSummary(dir: string): Promise<unknown> {
  const text = await readText(pathIn(dir, 'summary'));
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new VfError('store/damaged', `${pathIn(dir, 'summary')} is not JSON`, {
      cause,
      hint: 'remove it; vf resume writes it again',
    });
  }
}

/** Is a process writing the run? Also true for one on another host, which cannot be asked. */
export async function isLive(dir: string): Promise<boolean> {
  const holder = await lockHolder(dir);
  return holder !== null && mayBeAlive(holder);
}
