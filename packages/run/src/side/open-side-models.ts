import type { SideModels } from '@vf/rollout';
import { AnswerFile } from '@vf/store';
import type { RunWriter } from '@vf/store';
import type { RunPlan } from '../plan/run-plan.ts';
import type { Secrets } from '../secrets.ts';
import { RunSideModels } from './run-side-models.ts';
import type { Answers } from './run-side-models.ts';

/** The side models of a run, with the answers kept in its folder. */
export interface OpenedSideModels {
  readonly sideModels: SideModels;
  close(): Promise<void>;
}

/** @param parent folder of the run whose answers this one starts with. @throws VfError store/* */
export async function openSideModels(
  { sideModels: planned }: Pick<RunPlan, 'sideModels'>,
  writer: Pick<RunWriter, 'dir'>,
  options: { readonly secrets?: Secrets; readonly parent?: string } = {},
): Promise<OpenedSideModels> {
  if (planned.length === 0)
    return { sideModels: new RunSideModels([], nowhere), close: async () => undefined };
  const { secrets, parent } = options;
  const file = await AnswerFile.open(writer.dir, {
    ...(secrets === undefined ? {} : { mask: (text: string) => secrets.mask(text) }),
    ...(parent === undefined ? {} : { parent }),
  });
  return { sideModels: new RunSideModels(planned, file), close: () => file.close() };
}

const nowhere: Answers = { get: async () => null, add: async () => undefined };
