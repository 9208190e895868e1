import { join } from 'node:path';

/** Files of a run folder by what they hold. */
export const files = {
  plan: 'plan.json',
  config: 'config.toml',
  traces: 'traces.jsonl',
  index: 'traces.index.jsonl',
  groups: 'groups.jsonl',
  answers: 'answers.jsonl',
  summary: 'summary.json',
  lock: 'run.lock',
  journal: 'journal',
  logs: 'logs',
} as const;

export function pathIn(dir: string, file: keyof typeof files): string {
  return join(dir, files[file]);
}
