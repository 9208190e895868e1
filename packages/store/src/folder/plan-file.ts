import { VfError } from '@vf/core/errors';
import { openToRead, readText } from '../files/plain-file.ts';
import { writeWhole } from '../files/write-whole.ts';
import { pathIn } from './layout.ts';

/** What the store itself writes at the head of `plan.json`. */
export interface RunHeader {
  /** Revision of the folder's layout. */
  readonly version: number;
  readonly id: string;
  readonly name: string | null;
  /** Unix seconds. */
  readonly created: number;
}

/** Revision that this code writes; it reads all up to it. */
export const layoutVersion = 1;

/** Where the header ends at the latest, so that listing runs does not read whole plans. */
const headSize = 4096;

/**
 * Writes `plan.json`: the header under `store`, alone on the first line, then the plan's own fields.
 * @throws VfError store/disk_full, store/not_writable
 */
export async function writePlan(dir: string, header: RunHeader, plan: object): Promise<void> {
  const own = JSON.stringify(plan, null, 2);
  const head = `{"store":${JSON.stringify(header)}`;
  const text =
    Object.keys(plan).length === 0
      ? `${head}}\n`
      : `${head},\n${own.slice(own.indexOf('{') + 2)}\n`;
  await writeWhole(pathIn(dir, 'plan'), text);
}

/** Adds fields to the object at `key`. @throws VfError store/* */
export async function extendPlan(dir: string, key: string, fields: object): Promise<void> {
  const header = await readHeader(dir);
  const plan = await readPlan(dir);
  const before = isObject(plan) ? plan[key] : undefined;
  await writePlan(dir, header, { ...Object(plan), [key]: { ...Object(before), ...fields } });
}

/** Replaces fields of the plan. @throws VfError store/* */
export async function replaceInPlan(dir: string, fields: object): Promise<void> {
  const header = await readHeader(dir);
  await writePlan(dir, header, { ...Object(await readPlan(dir)), ...fields });
}

/** The plan as the run was created with, and what was added since. @throws VfError store/not_found, store/damaged, store/newer_version */
export async function readPlan(dir: string): Promise<unknown> {
  const { store, ...plan } = parse(dir, await planText(dir));
  checkHeader(dir, store);
  return plan;
}

/** @throws VfError store/not_found, store/damaged, store/newer_version */
export async function readHeader(dir: string): Promise<RunHeader> {
  const head = await planHead(dir);
  const end = head.indexOf('\n');
  const first = end < 0 ? '' : head.slice(0, end).replace(/,$/, '}');
  const whole = first.startsWith('{"store":') ? tryParse(first) : null;
  return checkHeader(dir, (whole ?? parse(dir, await planText(dir)))['store']);
}

async function planText(dir: string): Promise<string> {
  return (await readText(pathIn(dir, 'plan'))) ?? notFound(dir);
}

async function planHead(dir: string): Promise<string> {
  const file = (await openToRead(pathIn(dir, 'plan'))) ?? notFound(dir);
  try {
    const bytes = Buffer.alloc(headSize);
    const { bytesRead } = await file.read(bytes, 0, headSize, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function notFound(dir: string): never {
  throw new VfError('store/not_found', `${dir} is not a run folder: it has no plan.json`, {
    hint: 'vf show lists the runs',
  });
}

function parse(dir: string, text: string): Record<string, unknown> {
  return tryParse(text) ?? damaged(dir, 'is not a JSON object');
}

function tryParse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function checkHeader(dir: string, value: unknown): RunHeader {
  if (!isObject(value)) return damaged(dir, 'has no "store"');
  const { version, id, name, created } = value;
  if (typeof version !== 'number') return damaged(dir, 'has no store.version');
  if (version > layoutVersion) {
    throw new VfError(
      'store/newer_version',
      `${dir} was written by a newer vf (layout ${version}, this one reads up to ${layoutVersion})`,
      { hint: 'update vf' },
    );
  }
  if (typeof id !== 'string' || typeof created !== 'number')
    return damaged(dir, 'has no store.id or store.created');
  return { version, id, name: typeof name === 'string' ? name : null, created };
}

function damaged(dir: string, what: string): never {
  throw new VfError('store/damaged', `${pathIn(dir, 'plan')} ${what}`, {
    hint: 'put back plan.json from a copy, or start a new run',
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
