const runFlags = `  -m, --model M               goes to the provider as written
  -n, --num-examples N        tasks to take (default: all)
  -r, --rollouts-per-example N  attempts at each task (default 1)
  -c, --max-concurrent N      rollouts at once (default 32)
  -t, --task GLOB             key or name; may be repeated
  -o, --output-dir DIR        where runs are kept (default outputs)
      --run NAME              name of the run's folder
      --harness ID[@VERSION]  default null: one model call
      --runtime ID            default: docker when a task names an image, else subprocess
      --provider ID           openai, anthropic, openrouter, prime, local
      --base-url URL          another provider; --api-key-var NAME holds its key
      --min-reward X          exit 5 below it
      --max-unscored N|N%     more unscored rollouts than this: exit 3 (default 0)
      --budget DOLLARS        reaching it starts nothing new
      --env-file FILE         read variables from FILE
      --json                  events as NDJSON on stdout
  -y, --yes                   ask nothing
  -v, --verbose               a line for each finished rollout
  -q, --quiet                 nothing but the summary

Every key of the config is a flag too: --sampling.temperature 0, --limits.max-turns 20,
--taskset.count 10; --x / --no-x for switches, --x none takes a default away.`;

/** What `vf COMMAND --help` says below its first lines. */
export const commandFlags: Readonly<Record<string, string>> = {
  eval: `TASKSET is an id, package#id, or a path (./sums.ts). @ FILE reads TOML or JSON; later files and
flags win.

${runFlags}

      --dry-run               print the resolved plan and stop
      --resume                with --run: start it, or go on with it
      --include FAMILIES      with --resume: failures of harness,taskset,scoring,training too`,
  resume: `RUN is a folder, a run name, a unique start of a run id, or last.

      --include FAMILIES      play failures of harness,taskset,scoring,training too
      --check                 read every stored episode first, and play those again whose lines are damaged
  -n, --num-examples N        more tasks            -r, --rollouts-per-example N   more attempts
  -c, --max-concurrent N      other than before     --retries.max-retries N, --budget DOLLARS
  -o, --output-dir DIR        where runs are (default outputs)
      --env-file FILE   --json   -q, --quiet   -v, --verbose`,
  rescore: `RUN is a folder, a run name, a unique start of a run id, or last. Its rewards and metrics are taken
again from the stored traces, into a new run that names its parent. A score that needs the box or what
tools kept in memory cannot be taken again and stays without a value. Judges are asked only what they have
not answered.

      --run NAME              name of the new run
      --rewards.NAME.weight X, --rewards.NAME.fn ./file.ts#export, --judges.NAME.prompt TEXT,
      and every other key of the config
  -o, --output-dir DIR        where runs are (default outputs)
      --json                  the summary as one document`,
  show: `RUN is a folder, a run name, a unique start of a run id, or last. EPISODE is TASK:ATTEMPT or an
episode id. Without RUN: the runs there are.

      --errors                unscored rollouts by code, stage, hook and the place that threw, or by what they say;
                              one example each
      --where TERMS           reward<1 err:runtime stop:max_turns truncated turns>40 cost>0.5 task:django-* "text";
                              truncated: cut short by max_tokens or a limit; all must hold, a leading - negates;
                              also with --errors and --by
      --by task               a line for each task
      --follow                read a running one along, then its summary
      --branch N              one branch of a trace, whole
      --call N                one model call: settings, times, what was new in its prompt; token ids and logprobs
                              where they are known
      --full                  fold nothing
      --raw                   the record as stored
  -o, --output-dir DIR        where runs are (default outputs)
      --json                  one document, with --call of that call alone`,
  compare: `A and B are runs as for vf show. Needs config.toml, plan.json and traces.index.jsonl of each (and
groups.jsonl when attempts are scored together). Tasks are paired by the hash of their rows.

      --flips                 the tasks that one run solves and the other does not
      --max-drop X            exit 5 when the interval of the drop lies wholly beyond X
      --strict                with it: exit 5 unless the interval lies wholly within
      --allow tasks           pair tasks of one key though their rows differ
      --allow scoring         compare rewards that were scored otherwise
      --junit FILE            a JUnit report         --markdown FILE   for a pull request's comment
  -o, --output-dir DIR        where runs are (default outputs)
      --json                  one document`,
  export: `RUN is a folder, a run name, a unique start of a run id, or last. The export is at PATH whole or not
at all; a file that was there is replaced. Values of secrets are masked, in messages too. What the form
cannot hold is left out and told: counted here, each with its reason in NAME.diagnostics.jsonl.

      --to ID                 csv, parquet, verifiers, hessian, and what is installed: vf plugins list
  -o, --output PATH           a file, or a new folder for forms of several files; - is stdout
      --where TERMS           as of vf show: reward<1 err:runtime truncated "text"; a leading - negates
      --export.NAME VALUE     options of the form: vf export --to ID --help
      @ FILE                  takes them from the [export] table of a file
      --env-file FILE         secrets to mask are looked for there too
      --json                  what was written, left out and masked, as one document
      --output-dir DIR        where runs are (default VF_OUTPUT_DIR, else outputs)
  -q, --quiet                 only failures`,
  'validate-trajectories': `Names every problem with its line. Exit 5 when there is one, and for a file without an episode.

      --json                  one document`,
  tasks: `Prints key, name, image, limits and prompt of each row; --json one row a line.

  -n N   -t GLOB   @ FILE   --taskset.OPTION VALUE`,
  validate: `Plays the taskset's reference solution, and nothing at all, in the runtime; no model is called.
Exit 5 when a task is unsound.

  -n N   -t GLOB   -c N   --runtime ID   @ FILE   --json`,
  serve: `Speaks the verifiers environment protocol (ZeroMQ): prime-rl and every client of verifiers drive it, and the
Python package vf-env. Needs @vf/serve beside vf. Which model answers, where, and its sampling come with each
request; the rest is the config. Prints one line when it is ready; Ctrl-C cancels what is under way and leaves.

      --bind ADDRESS          default tcp://127.0.0.1:5000; port 0 takes a free one. Who reaches it can start
                              rollouts, so keep it on this machine or in a network of your own
  -c, --max-concurrent N      episodes at once (default 32); further requests wait
      --workers N             processes that play (default 1, the server itself); one that dies is started again
      --max-queued N          refuse what would wait behind so many (default 10000)
      --while-stdin           stop when stdin ends: with the program that started it, however that ends
      --env-file FILE         read variables from FILE, keys that requests name among them
      --json                  the ready line as JSON
  -v, --verbose               a line on stderr for what is not a problem, too

Every key of the config is a flag too, as for vf eval.`,
  plugins: `vf plugins list           kind, id, package, version, where it was found, and whether it can be used
vf plugins show ID        what it needs and can do, and its options; ID may be package#id or a path
vf plugins doctor [DIR]   packs the package in DIR, installs it into an empty project with vf, loads it and
                          plays one task; exit 5 with what is missing. Options without a default go behind
                          the folder: --taskset.path ./rows

      --kind KIND             of show: one kind only; needed for a path
      --json                  one document`,
  init: `Writes a package into a folder of its name: npm install, npm test and npm pack work in it as it is.
NAME is an id (sums), a scope and an id (@acme/sums), or the package's whole name (vf-taskset-sums).
vf init config NAME writes NAME.toml with every table explained, and the schema that an editor
completes it from.

      --from harbor PATH      with taskset: a package around Harbor tasks, which are copied into it
      --dir DIR               into this folder instead; nothing in it is overwritten
      --json                  one document`,
  schema: `An editor that knows it completes a config and marks what is wrong; vf init config writes the line that
points to it (#:schema ./vf.schema.json). Write it again after installing a plugin.

  -o, --output FILE           instead of stdout`,
  completion: `bash:  source <(vf completion bash)          in ~/.bashrc
zsh:   source <(vf completion zsh)           in ~/.zshrc, behind compinit
fish:  vf completion fish > ~/.config/fish/completions/vf.fish`,
  cleanup: `      --dry-run               only list
      --older-than 2h         leave younger ones alone (default 0)
      --caches                also what is kept for later runs: agents on engines that do not see this machine's files
      --json                  one document`,
};
