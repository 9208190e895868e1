import { readFileSync } from 'node:fs';
import { commands } from './commands.ts';

export function versionText(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Help of vf, or of one command. */
export function helpText(name?: string): string {
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return general();
  return [`${command.usage}\n  ${command.summary}`, flags[command.name] ?? '']
    .filter((part) => part !== '')
    .join('\n\n');
}

function general(): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, summary }) => `  ${usage.padEnd(width)}   ${summary}`);
  return [
    'vf evaluates agents on tasks and keeps every turn.',
    '',
    ...lines,
    '',
    'vf COMMAND --help says more. vf --version',
  ].join('\n');
}

const runFlags = `  -m, --model M               goes to the provider as written
  -n, --num-examples N        tasks to take (default: all)
  -r, --rollouts-per-example N
  -c, --max-concurrent N      default 32
  -t, --task GLOB             key or name; may be repeated
  -o, --output-dir DIR        default outputs
      --run NAME              name of the run's folder
      --harness ID[@VERSION]  default null: one model call
      --runtime ID            default: docker when a task names an image, else subprocess
      --provider ID           openai, anthropic, openrouter, prime, local
      --base-url URL, --api-key-var NAME
      --min-reward X          exit 5 below it
      --budget DOLLARS
      --env-file FILE         read variables from FILE
      --json                  events as NDJSON on stdout
  -y, --yes   -v, --verbose   -q, --quiet
Every key of the config is a flag too: --sampling.temperature 0, --limits.max-turns 20, --taskset.count 10;
--x / --no-x for switches, --x none to take a default away.`;

const flags: Readonly<Record<string, string>> = {
  eval: `TASKSET is an id, package#id, or a path (./sums.ts). @ FILE reads TOML or JSON; later files and flags win.

${runFlags}
      --dry-run               print the resolved plan and stop
      --resume                with --run: start it, or go on with it
      --include FAMILY        with --resume: harness, taskset, scoring failures too`,
  resume: `RUN is a folder, a run name, a unique start of a run id, or last.

      --include FAMILY        play failures of harness, taskset or scoring again too; may be repeated
      --max-concurrent N, --num-examples N, --rollouts-per-example N, --retries.max-retries N, --budget DOLLARS
      --env-file FILE   --json   -q, --quiet   -y, --yes`,
  show: `RUN is a folder, a run name, a unique start of a run id, or last. EPISODE is TASK:ATTEMPT or an episode id.

      --errors                unscored rollouts by code, one example each
      --where TERMS           reward<1 err:runtime stop:max_turns turns>40 cost>0.5 task:django-* "text"; a leading - negates
      --by task               one line a task
      --branch N              one branch of a trace      --call N   one model call
      --full                  fold nothing               --raw      the record as stored
      --output-dir DIR        where runs are (default outputs)
      --json`,
  tasks: `Prints key, name, prompt, image and limits of each row; --json one row a line.

  -n N   -t GLOB   @ FILE   --taskset.OPTION VALUE`,
  validate: `Plays the taskset's reference solution, and nothing at all, in the runtime; no model is called. Exit 5 when a task is unsound.

  -n N   -t GLOB   -c N   --runtime ID   @ FILE   --json`,
  plugins: `vf plugins list   kind, id, package, version, where it was found, and whether it can be used; --json`,
  cleanup: `      --dry-run           only list
      --older-than 2h     leave younger ones alone (default 0)
      --json`,
};
