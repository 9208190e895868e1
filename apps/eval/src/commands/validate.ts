import { resolve } from 'node:path';
import type { Runtime } from '@vf/core';
import { VfError } from '@vf/core/errors';
import {
  loadTasks,
  loadTaskset,
  newRunId,
  parseOptions,
  planHooks,
  validateTaskset,
  wantsImage,
} from '@vf/run';
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
  return interruptible(config.shutdownGrace, async ({ signal }) => {
    const taskset = await loadTaskset(config, host, signal);
    const hooks = await planHooks(taskset.spec, config);
    const problems = [...taskset.problems, ...hooks.problems];
    if (problems.length > 0)
      throw new VfError('config/invalid', `taskset ${taskset.name} or its options are wrong`, {
        problems,
      });
    const tasks = await loadTasks(taskset, { ...config.select, limit: config.numExamples }, signal);
    const runtime = await host.load(
      'runtime',
      config.runtime.id ?? (tasks.some(wantsImage) ? 'docker' : 'subprocess'),
      signal,
    );
    const plugin = runtime.value as Runtime;
    const options = parseOptions(
      plugin.config,
      config.runtime.options,
      `runtime ${runtime.id}`,
      'runtime',
    );
    if (options.problems.length > 0)
      throw new VfError('config/invalid', `options of runtime ${runtime.id}`, {
        problems: options.problems,
      });
    const isJson = args.booleans.has('json');
    const verdicts = await validateTaskset(
      {
        taskset: { ...taskset, ...hooks },
        tasks,
        runtime: { id: runtime.id, plugin, config: options.value },
        maxConcurrent: config.maxConcurrent,
        secrets,
        dir: resolve(config.outputDir, 'validate', `${taskset.name}-${newRunId()}`),
        onNote: (note) => process.stderr.write(`vf: ${mask(visible(note))}\n`),
        onVerdict: (verdict) => {
          if (isJson) process.stdout.write(`${mask(JSON.stringify({ v: 1, ...verdict }))}\n`);
        },
      },
      signal,
    );
    const unsound = verdicts.filter(({ faults }) => faults.length > 0).length;
    const texts = isJson ? [] : [faultsText(verdicts), evidenceText(verdicts)];
    for (const text of texts) if (text !== '') process.stdout.write(`${mask(text)}\n`);
    process.stderr.write(`${verdicts.length - unsound} of ${verdicts.length} tasks are sound\n`);
    return unsound === 0 ? 0 : 5;
  });
}
