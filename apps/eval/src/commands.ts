/** A command; its module is loaded only when it is asked for. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<{ run(argv: readonly string[]): Promise<number> }>;
}

export const commands: readonly Command[] = [
  {
    name: 'eval',
    usage: 'vf eval [TASKSET] [@ FILE]…',
    summary: 'plan, check, run, summarise',
    load: () => import('./commands/eval.ts'),
  },
  {
    name: 'resume',
    usage: 'vf resume RUN',
    summary: 'run what is missing or failed for infrastructure reasons',
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'show',
    usage: 'vf show [RUN] [EPISODE]',
    summary: 'runs, a run’s summary and failures, or one trace as a conversation',
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'rescore',
    usage: 'vf rescore RUN',
    summary: 'score stored traces again into a new run; no agent is started',
    load: () => import('./commands/rescore.ts'),
  },
  {
    name: 'compare',
    usage: 'vf compare A B',
    summary: 'two runs paired by task: what changed, how sure that is, and a gate for CI',
    load: () => import('./commands/compare.ts'),
  },
  {
    name: 'export',
    usage: 'vf export RUN --to ID -o PATH',
    summary: 'write a run for another program: notebooks, trainers, viewers',
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'validate-trajectories',
    usage: 'vf validate-trajectories FILE',
    summary: 'strict check of a hessian.trajectory.v1 file',
    load: () => import('./commands/validate-trajectories.ts'),
  },
  {
    name: 'tasks',
    usage: 'vf tasks TASKSET',
    summary: 'the rows a run would see',
    load: () => import('./commands/tasks.ts'),
  },
  {
    name: 'validate',
    usage: 'vf validate TASKSET',
    summary: 'does the reference solution score full marks, does doing nothing score none',
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'serve',
    usage: 'vf serve [TASKSET] [@ FILE]…',
    summary: 'the environment server that Python trainers drive',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'plugins',
    usage: 'vf plugins list|show ID|doctor [DIR]',
    summary: 'what is installed; options of one; what a consumer of a package would meet',
    load: () => import('./commands/plugins.ts'),
  },
  {
    name: 'init',
    usage: 'vf init taskset|harness|environment|config NAME',
    summary: 'a package that builds, tests and packs as it is; a commented config',
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'schema',
    usage: 'vf schema',
    summary: 'JSON Schema of the config with the options of installed plugins',
    load: () => import('./commands/schema.ts'),
  },
  {
    name: 'completion',
    usage: 'vf completion bash|zsh|fish',
    summary: 'a script that completes commands, flags, plugins and runs',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'cleanup',
    usage: 'vf cleanup',
    summary: 'remove what killed runs left behind',
    load: () => import('./commands/cleanup.ts'),
  },
];
