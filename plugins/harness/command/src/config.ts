import { isAbsolute, normalize } from 'node:path/posix';
import { z } from '@vf/core';
import { allPlaceholders, faultsOf, listed, standingPlaceholders } from './placeholders.ts';
import type { Placeholder } from './placeholders.ts';

const perTurn = argv(allPlaceholders);

export const configSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/, 'letters, digits and . _ - only')
    .describe('how tables and folders call the agent'),
  dialect: z.string().min(1).describe('chat-completions, responses, messages, …'),
  version: z.string().min(1).optional().describe('for tables and the trace'),
  install: argv(['workdir']).optional().describe('run once per machine, or in each container'),
  run: perTurn.describe(
    `one run is one user turn; the prompt is its standard input if not named; it and \`env\`, \`files\`, \`continue\` may hold ${listed(allPlaceholders)}`,
  ),
  continue: perTurn.optional().describe('instead of `run` for a following user turn'),
  files: z
    .record(belowHome(), standing())
    .default({})
    .describe("texts written before the first turn, under the rollout's own home, {home}"),
  copy: z
    .record(belowHome(), z.string().min(1))
    .default({})
    .describe(
      'files and folders of this machine, copied there as they are: { "agent.py" = "./agent.py" }',
    ),
});

export type Config = z.infer<typeof configSchema>;

/** A string in which only these placeholders stand. */
function template(known: readonly Placeholder[]) {
  return z.string().superRefine((text, refinement) => {
    for (const message of faultsOf(text, known)) refinement.addIssue({ code: 'custom', message });
  });
}

function belowHome() {
  return z.string().refine(staysBelow, 'a path below the home of the rollout');
}

function standing() {
  return template(standingPlaceholders);
}

function argv(known: readonly Placeholder[]) {
  return z.array(template(known)).min(1, 'at least a program');
}

function staysBelow(path: string): boolean {
  const plain = normalize(path);
  return !isAbsolute(plain) && plain !== '.' && plain !== '..' && !plain.startsWith('../');
}
