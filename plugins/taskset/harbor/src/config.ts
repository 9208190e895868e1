import { z } from '@vf/core';

const multiplier = z.number().positive().default(1);

export const configSchema = z.strictObject({
  path: z
    .string()
    .optional()
    .describe('a task, or a folder of tasks; with `package` or `git`, within it'),
  package: z.string().optional().describe('an installed npm package that ships tasks'),
  git: z.string().optional().describe('a repository of tasks: org/name, a URL, …/tree/REF/FOLDER'),
  ref: z.string().optional().describe('branch, tag or commit of `git`; default: HEAD'),
  dataset: z
    .string()
    .optional()
    .describe('NAME[@VERSION] of a registry, or a package org/name[@TAG] of Harbor’s hub'),
  registry: z.string().optional().describe('registry.json of `dataset`, a file or a URL'),
  hubUrl: z.string().optional().describe('another hub than Harbor’s'),
  tasks: z.array(z.string()).default([]).describe('names of tasks; none: all'),
  rewardKey: z.string().optional().describe('the key of reward.json that is the reward'),
  buildTimeoutMultiplier: multiplier.describe('stretches environment.build_timeout_sec'),
  agentTimeoutMultiplier: multiplier.describe('stretches agent.timeout_sec'),
  verifierTimeoutMultiplier: multiplier.describe('stretches verifier.timeout_sec'),
});

export type Config = z.infer<typeof configSchema>;
