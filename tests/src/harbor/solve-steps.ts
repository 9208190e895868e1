import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '@vf/core/trace';
import { solveWithShell } from '@vf/testkit';
import type { ScriptFunction } from '@vf/testkit';

/** Does what the reference solution of a task does, of the step that the model was told of last. */
export function solveSteps(folder: string): ScriptFunction {
  const instructions = globSync(['instruction.md', 'steps/*/instruction.md'], { cwd: folder });
  const steps = instructions.map((path) => ({
    told: contentOf(folder, path).trim(),
    solution: solutionOf(folder, join(path, '..')),
  }));
  const env = environmentOf(folder);
  return solveWithShell(({ messages }) => {
    const texts = messages.map(({ content }) => textOf(content));
    const place = ({ told }: (typeof steps)[number]): number =>
      texts.findLastIndex((text) => text.includes(told));
    const step = steps.toSorted((a, b) => place(b) - place(a))[0];
    // In a shell of its own: the settings of a solution are not the agent's.
    return `${env}sh <<'SOLUTION'\n${step?.solution.trim() ?? 'exit 1'}\nSOLUTION`;
  });
}

/** What `[solution.env]` says, before a command. */
function environmentOf(folder: string): string {
  const [, table = ''] = /\[solution\.env\]([^[]*)/.exec(contentOf(folder, 'task.toml')) ?? [];
  return [...table.matchAll(/(\w+) = ("[^"]*")/g)]
    .map(([, name, value]) => `${name}=${value} `)
    .join('');
}

/** A step without a solution of its own has the task's. */
function solutionOf(folder: string, step: string): string {
  const [own] = globSync(`${step}/solution/solve.sh`, { cwd: folder });
  return contentOf(folder, own ?? 'solution/solve.sh');
}

function contentOf(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}
