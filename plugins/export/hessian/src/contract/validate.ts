import {
  also,
  finiteNumber,
  isObject,
  list,
  logprob,
  naturalNumber,
  nonEmptyText,
  oneOf,
  record,
  text,
} from './checks.ts';
import type { Check, RecordProblem } from './checks.ts';
import { contextRoles, finishReasons, schemaVersion, sourceKinds } from './trajectory.ts';
import type { Trajectory } from './trajectory.ts';

/** Names that point to another commit tomorrow. */
const movingNames: ReadonlySet<string> = new Set([
  'main',
  'master',
  'latest',
  'head',
  'trunk',
  'default',
  'dev',
  'develop',
  'stable',
  'nightly',
]);

export const revision: Check = also(nonEmptyText, (value, path, report) => {
  if (movingNames.has(String(value).trim().toLowerCase()))
    report(path, `"${String(value)}" is a name that moves; give a commit or a digest`);
});

export const sha256: Check = (value, path, report) => {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value))
    report(path, 'must be the 64 hex digits of a SHA-256');
};

const tokenIds = list(naturalNumber);

const call: Check = also(
  record(
    {
      call_id: nonEmptyText,
      prompt_token_ids: tokenIds,
      response_token_ids: tokenIds,
      response_role: oneOf(['assistant']),
      response_loss_mask: list(oneOf([0, 1])),
      finish_reason: oneOf(finishReasons),
      context: list(record({ role: oneOf(contextRoles), content: text })),
      behavior_logprobs: list(logprob),
    },
    new Set(['behavior_logprobs']),
  ),
  (value, path, report) => {
    const { response_token_ids, response_loss_mask, behavior_logprobs } =
      value as Trajectory['calls'][number];
    const tokens = response_token_ids.length;
    const lists = { response_loss_mask, behavior_logprobs };
    for (const [key, entries] of Object.entries(lists))
      if (entries !== undefined && entries.length !== tokens)
        report(`${path}.${key}`, `has ${entries.length} entries for ${tokens} response tokens`);
  },
);

const calls: Check = also(list(call), (value, path, report) => {
  const all = value as Trajectory['calls'];
  if (all.length === 0) return report(path, 'must not be empty');
  const seen = new Set<string>();
  all.forEach(({ call_id }, at) => {
    if (seen.has(call_id)) report(`${path}[${at}].call_id`, `"${call_id}" stands twice`);
    seen.add(call_id);
  });
  if (!all.some(({ response_loss_mask }) => response_loss_mask.includes(1)))
    report(path, 'have no trainable response token');
});

const trajectory: Check = record({
  schema_version: oneOf([schemaVersion]),
  episode_id: nonEmptyText,
  task_id: nonEmptyText,
  group_id: nonEmptyText,
  seed: naturalNumber,
  source_kind: oneOf(sourceKinds),
  policy: record({
    model_id: nonEmptyText,
    revision,
    tokenizer_id: nonEmptyText,
    tokenizer_revision: revision,
    chat_template_sha256: sha256,
  }),
  harness: record({ name: nonEmptyText, version: nonEmptyText, revision }),
  reward: record({ value: finiteNumber, scorer: nonEmptyText, scorer_revision: revision }),
  calls,
});

/** Everything that is wrong with one record by itself; empty when it keeps the contract. */
export function recordProblems(value: unknown): RecordProblem[] {
  const problems: RecordProblem[] = [];
  if (!isObject(value)) return [{ path: '', message: 'must be one JSON object' }];
  trajectory(value, '', (path, message) => problems.push({ path, message }));
  return problems;
}
