import { TomlError, parse } from 'smol-toml';
import type { Problem } from '@vf/core/errors';
import { lineFinder } from './lines.ts';
import { modernise } from './modernise.ts';
import { taskSchema } from './schema.ts';
import type { TaskConfig } from './schema.ts';
import type { Fault, Table } from './table.ts';
import { unknownKeys } from './unknown-keys.ts';

export interface ParsedTask {
  readonly config: TaskConfig;
  /** Dotted paths of keys that mean nothing to Harbor. */
  readonly unknown: readonly string[];
  /** Turns faults found later into problems of the file. */
  problems(faults: readonly Fault[]): Problem[];
}

/** Reads the text of a `task.toml`; `file` is for messages. All that is wrong is told at once. */
export function parseTask(
  text: string,
  file: string,
): ParsedTask | { readonly refused: readonly Problem[] } {
  let root: Table;
  try {
    root = parse(text);
  } catch (error) {
    return { refused: [syntaxProblem(error, file)] };
  }
  const { table, faults } = modernise(root);
  const parsed = taskSchema.safeParse(table);
  const all = [...faults, ...(parsed.success ? [] : parsed.error.issues.map(asFault))];
  const problems = (found: readonly Fault[]): Problem[] => located(found, text, file);
  if (!parsed.success || all.length > 0) return { refused: problems(all) };
  return { config: parsed.data, unknown: unknownKeys(table, taskSchema), problems };
}

function asFault({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}): Fault {
  return { path: path.map((key) => (typeof key === 'number' ? key : String(key))), message };
}

function located(faults: readonly Fault[], text: string, file: string): Problem[] {
  if (faults.length === 0) return [];
  const lineOf = lineFinder(text);
  return faults.map(({ path, message }) => {
    const line = lineOf(path);
    return { file, path: dotted(path), message, ...(line === null ? {} : { line }) };
  });
}

function dotted(path: Fault['path']): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

function syntaxProblem(error: unknown, file: string): Problem {
  const place = error instanceof TomlError ? { line: error.line, column: error.column } : {};
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return { file, ...place, message };
}
