import type { ExportRequest } from '@vf/core';
import { omissionOf, trainableTraces } from '@vf/export-kit';
import type { Config } from './config.ts';
import { recordProblems } from './contract/validate.ts';
import { FileRules } from './contract/file-rules.ts';
import type { Trajectory } from './contract/trajectory.ts';
import { trajectoryOf } from './from-trace/trajectory-of.ts';

/** The records of a run, each valid by itself and beside the others; what cannot be one is omitted with its reason. */
export async function* trajectories(
  request: Pick<ExportRequest<Config>, 'episodes' | 'omit' | 'config'>,
): AsyncGenerator<Trajectory, void> {
  const { config, omit } = request;
  const rules = new FileRules();
  for await (const from of trainableTraces(request, { logprobs: config.logprobs })) {
    const record = trajectoryOf(from, config);
    if ('reason' in record) {
      omit(omissionOf(from.episode, from.trace, record));
      continue;
    }
    const own = recordProblems(record);
    const [problem] = own.length > 0 ? own : rules.add(record);
    if (problem === undefined) yield record;
    else {
      const detail = `${problem.path} ${problem.message}`;
      omit(omissionOf(from.episode, from.trace, { reason: 'it breaks the contract', detail }));
    }
  }
}
