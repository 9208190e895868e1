import type { RecordProblem } from './checks.ts';
import type { Trajectory } from './trajectory.ts';

/** The rules between the records of one file: each episode once, and all of a group measured alike. */
export class FileRules {
  readonly #episodes = new Set<string>();
  readonly #groups = new Map<string, Readonly<Record<string, string>>>();

  /** What is wrong with a sound record beside those before it; a record without a problem counts from now on. */
  add(record: Trajectory): RecordProblem[] {
    const problems: RecordProblem[] = [];
    if (this.#episodes.has(record.episode_id)) {
      problems.push({
        path: 'episode_id',
        message: `"${record.episode_id}" stands twice in the file`,
      });
    }
    const parts = comparedParts(record);
    const group = this.#groups.get(record.group_id) ?? parts;
    for (const [path, value] of Object.entries(parts)) {
      if (group[path] === value) continue;
      problems.push({
        path,
        message: `is "${value}", in group "${record.group_id}" it was "${group[path]}"`,
      });
    }
    if (problems.length > 0) return problems;
    this.#episodes.add(record.episode_id);
    this.#groups.set(record.group_id, group);
    return [];
  }
}

/** What all attempts of a group share; seed and reward differ. */
function comparedParts({ task_id, policy, harness, reward }: Trajectory): Record<string, string> {
  return {
    task_id,
    ...prefixed('policy', { ...policy }),
    ...prefixed('harness', { ...harness }),
    'reward.scorer': reward.scorer,
    'reward.scorer_revision': reward.scorer_revision,
  };
}

function prefixed(name: string, parts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([key, value]) => [`${name}.${key}`, value]));
}
