import type { Export } from '@vf/core';
import agentLightning from '@vf/export-agent-lightning';
import atif from '@vf/export-atif';
import csv from '@vf/export-csv';
import hessian from '@vf/export-hessian';
import parquet from '@vf/export-parquet';
import trl from '@vf/export-trl';
import verifiers from '@vf/export-verifiers';
import verl from '@vf/export-verl';
import { templateSha256 } from './template.ts';

interface Form {
  readonly file: string;
  readonly exporter: Export;
  readonly config?: Readonly<Record<string, unknown>>;
}

const revision = '1111111111111111111111111111111111111111';

/** Every form that vf writes, each by one call. */
export const forms: readonly Form[] = [
  { file: 'verifiers.jsonl', exporter: verifiers },
  { file: 'trl.jsonl', exporter: trl },
  { file: 'verl.jsonl', exporter: verl },
  { file: 'agent-lightning.jsonl', exporter: agentLightning },
  {
    file: 'hessian.jsonl',
    exporter: hessian,
    config: {
      modelRevision: revision,
      tokenizerRevision: revision,
      harnessRevision: revision,
      scorerRevision: '1',
      chatTemplateSha256: templateSha256,
    },
  },
  { file: 'samples.parquet', exporter: parquet, config: { rows: 'samples' } },
  { file: 'rollouts.csv', exporter: csv },
  { file: 'atif', exporter: atif },
];
