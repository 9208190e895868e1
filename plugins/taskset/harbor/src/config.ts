import { z } from '@vf/core';

const positive = z.number().positive();

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
  agentTimeout: positive.optional().describe('seconds in place of agent.timeout_sec'),
  maxAgentTimeout: positive.optional().describe('most seconds of agent.timeout_sec'),
  verifierTimeout: positive.optional().describe('seconds in place of verifier.timeout_sec'),
  maxVerifierTimeout: positive.optional().describe('most seconds of verifier.timeout_sec'),
  timeoutMultiplier: positive.default(1).describe('stretches all limits of the task'),
  buildTimeoutMultiplier: positive.optional().describe('stretches environment.build_timeout_sec'),
  agentTimeoutMultiplier: positive.optional().describe('stretches agent.timeout_sec'),
  verifierTimeoutMultiplier: positive.optional().describe('stretches verifier.timeout_sec'),
  verifierEnv: z
    .record(z.string(), z.string())
    .default({})
    .describe('more environment of the tests; ${NAME} is taken from where vf runs'),
});

export type Config = z.infer<typeof configSchema>;
