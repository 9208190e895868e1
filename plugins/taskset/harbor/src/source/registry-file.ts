import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from '@vf/core';
import { VfError, nearest } from '@vf/core/errors';
import { newestOf } from './dataset-name.ts';
import type { DatasetName } from './dataset-name.ts';
import { fetched } from './fetched.ts';
import { isInside } from './inside.ts';

const task = z
  .object({
    name: z.string().min(1),
    git_url: z.string().min(1).nullish(),
    git_commit_id: z.string().min(1).nullish(),
    path: z.string().min(1),
  })
  .refine(({ git_url: url, path }) => url == null || isInside(path), {
    message: 'must be a path within the repository',
    path: ['path'],
  });

const dataset = z.object({ name: z.string(), version: z.string(), tasks: z.array(task) });
const registry = z.array(dataset);

/** A task as a registry lists it: a folder of a repository, or one of this machine. */
export type ListedTask = z.infer<typeof task>;
export type ListedDataset = z.infer<typeof dataset>;

/** What the hub answers about one dataset, in the same form. @throws VfError taskset/load_failed */
export function parseListedDataset(value: unknown, from: string): ListedDataset {
  return checked(dataset, value, from);
}

/** The datasets of a `registry.json`, which may be a URL. @throws VfError taskset/load_failed */
export async function readRegistry(place: string, signal: AbortSignal): Promise<ListedDataset[]> {
  const text = /^https?:\/\//.test(place)
    ? await (await fetched(place, {}, signal)).text()
    : await readLocal(place);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new VfError('taskset/load_failed', `${place} is no JSON`, {
      cause: error,
      hint: 'name a registry.json: --taskset.registry FILE_OR_URL',
    });
  }
  return checked(registry, value, place);
}

async function readLocal(place: string): Promise<string> {
  try {
    return await readFile(resolve(place), 'utf8');
  } catch (error) {
    throw new VfError('taskset/load_failed', `${resolve(place)} cannot be read`, {
      hint: '--taskset.registry FILE or URL of a registry.json',
      cause: error,
    });
  }
}

function checked<Value>(schema: z.ZodType<Value>, value: unknown, file: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new VfError('taskset/load_failed', `${file} is no registry of Harbor tasks`, {
    problems: parsed.error.issues.map(({ path, message }) => ({
      file,
      path: path.map(String).join('.'),
      message,
    })),
  });
}

/** The dataset of a name; without a version the newest. @throws VfError taskset/load_failed */
export function pick(
  datasets: readonly ListedDataset[],
  { name, version }: DatasetName,
  place: string,
): ListedDataset {
  const named = datasets.filter((one) => one.name === name);
  const versions = named.map((one) => one.version);
  const found = named.find((one) => one.version === (version ?? newestOf(versions)));
  if (found !== undefined) return found;
  if (named.length > 0)
    throw new VfError('taskset/load_failed', `${place} has no ${name}@${version}`, {
      hint: `its versions: ${versions.join(', ')}`,
    });
  const names = [...new Set(datasets.map((one) => one.name))];
  const close = nearest(name, names);
  throw new VfError('taskset/load_failed', `${place} has no dataset ${name}`, {
    hint: close === null ? `its datasets: ${names.join(', ')}` : `nearest: ${close}`,
  });
}
