import { resolve } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import { loadTasks, loadTaskset, newRunId, planHooks, planRuntime, validateTaskset } from '@vf/run';
import type { RunConfig } from '@vf/run';
import { parseCommandLine } from '../args/parse-args.ts';
import { mask } from '../masking.ts';
import { evidenceText } from '../screen/evidence-text.ts';
import { faultsText } from '../screen/faults-text.ts';
import { interruptible } from '../interrupt.ts';
import { visible } from '../screen/one-line.ts';
import { openSession } from '../session.ts';

/** `vf validate TASKSET` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, {
    booleans: ['json', 'quiet'],
    values: ['env-file'],
    config: true,
  });
  const { resolved, host, secrets } = await openSession(args, { taskset: args.positionals[0] });
  const { config } = resolved;
  const isJson = args.booleans.has('json');
  const say = (text: string): void => void process.stdout.write(`${mask(text)}\n`);
  return interruptible(config.shutdownGrace, async ({ signal }) => {
    const verdicts = await validateTaskset(
      {
        ...(await toValidate(config, host, signal)),
        maxConcurrent: config.maxConcurrent,
        secrets,
        onNote: (note) => process.stderr.write(`vf: ${mask(visible(note))}\n`),
        onVerdict: (verdict) => {
          if (isJson) say(JSON.stringify({ v: 1, ...verdict }));
        },
      },
      signal,
    );
    const texts = isJson ? [] : [faultsText(verdicts), evidenceText(verdicts)];
    for (const text of texts) if (text !== '') say(text);
    const sound = verdicts.filter(({ faults }) => faults.length === 0).length;
    process.stderr.write(`${sound} of ${verdicts.length} tasks are sound\n`);
    return sound === verdicts.length ? 0 : 5;
  });
}

/** What the config names: the taskset, its tasks, and the runtime that they are played in. */
async function toValidate(config: RunConfig, host: PluginHost, signal: AbortSignal) {
  const taskset = await loadTaskset(config, host, signal);
  const hooks = await planHooks(taskset.spec, config);
  refuse(`taskset ${taskset.name} or its options are wrong`, [
    ...taskset.problems,
    ...hooks.problems,
  ]);
  const tasks = await loadTasks(taskset, { ...config.select, limit: config.numExamples }, signal);
  const runtime = await planRuntime(config.runtime, tasks, host, signal);
  refuse(`options of runtime ${runtime.plan.id}`, runtime.problems);
  return {
    taskset: { ...taskset, ...hooks },
    tasks,
    runtime: runtime.plan,
    dir: resolve(config.outputDir, 'validate', `${taskset.name}-${newRunId()}`),
  };
}

function refuse(message: string, problems: readonly Problem[]): void {
  if (problems.length > 0) throw new VfError('config/invalid', message, { problems });
}
