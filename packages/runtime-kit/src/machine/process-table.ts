import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** One living process of this machine. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** `NAME=value` pairs, in any order; empty for processes of others. */
  readonly environment: string;
  /** Working directory; null when it cannot be seen. */
  readonly cwd: string | null;
}

/** All processes but zombies: from /proc on Linux, else from `ps`. */
export function listProcesses(): readonly ProcessEntry[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/**
 * When a process started, in the system's own spelling: with its pid it names a process, since pids are used
 * again. null: there is no such process.
 */
export function processStart(pid: number): string | null {
  if (process.platform !== 'linux') {
    return ps(['-o', 'lstart=', '-p', String(pid)]).trim() || null;
  }
  return statOf(pid)?.start ?? null;
}

function fromProc(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? statOf(pid) : null;
    if (stat === null || stat.dead) continue;
    const environment = orNull(() => readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? '';
    const cwd = orNull(() => readlinkSync(`/proc/${pid}/cwd`));
    entries.push({ pid, parent: stat.parent, environment, cwd });
  }
  return entries;
}

/** proc(5): state, parent and start time are fields 3, 4 and 22; the name before them may hold anything. */
function statOf(pid: number): { parent: number; start: string; dead: boolean } | null {
  const text = orNull(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const dead = fields[0] === 'Z' || fields[0] === 'X';
  return { parent: Number(fields[1]), start: fields[19] ?? '', dead };
}

/** `-E` puts the environment behind the command. */
function fromPs(): readonly ProcessEntry[] {
  return parsePs(ps(['-axww', '-E', '-o', 'pid=,ppid=,state=,command=']));
}

/** Reads the lines of `ps -E -o pid=,ppid=,state=,command=`. */
export function parsePs(text: string): readonly ProcessEntry[] {
  const lines = text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm);
  return [...lines]
    .filter(([, , , state]) => !state?.startsWith('Z'))
    .map(([, pid, parent, , environment = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      environment,
      cwd: null,
    }));
}

function ps(args: readonly string[]): string {
  return orNull(() => execFileSync('ps', args, { encoding: 'utf8', maxBuffer: 1 << 26 })) ?? '';
}

/** A process may end between two looks at it. */
function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
