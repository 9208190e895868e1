import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '@vf/core/errors';
import { parseTask } from '../format/parse-task.ts';
import type { HarborTask } from './harbor-task.ts';
import { ignoreRules } from './ignore-rules.ts';
import { machineSource, userOfDockerfile } from './image.ts';
import { isFile, isFolder } from './look.ts';
import { missingFiles, stepsOf } from './steps.ts';
import { unrunnableScripts } from './scripts.ts';
import { earlierConversation } from './earlier.ts';
import { unsendableFiles } from './unsendable.ts';
import { unsupportedKeys } from './unsupported.ts';

/** A task, or everything that is wrong with its folder. */
export type ReadTask = { readonly task: HarborTask } | { readonly refused: readonly Problem[] };

/** @param dir absolute path of the task's folder */
export async function readTask(dir: string): Promise<ReadTask> {
  const file = join(dir, 'task.toml');
  const parsed = parseTask(await readFile(file, 'utf8'), file);
  if ('refused' in parsed) return parsed;
  const { config, unknown } = parsed;
  const environment = join(dir, 'environment');
  const source = await machineSource(config.environment, environment);
  const [missing, earlier, ignored] = await Promise.all([
    missingFiles(dir, config),
    earlierConversation(dir, config),
    ignoreRules(dir),
  ]);
  const refused: Problem[] = [
    ...parsed.problems(unsupportedKeys(config, source?.compose !== undefined)),
    ...missing.map((name) => ({ file: join(dir, name), message: 'the file is missing' })),
    ...earlier.problems,
  ];
  if (source === null) return { refused };
  const steps = await stepsOf({ dir, config, source });
  refused.push(...(await unrunnableScripts(steps)));
  const dockerfile = join(environment, 'Dockerfile');
  const sendsFiles =
    !(await isFile(dockerfile)) && source.compose === undefined && (await isFolder(environment));
  const environmentFiles = sendsFiles ? environment : null;
  refused.push(...(await unsendableFiles({ dir, environmentFiles, steps, ...ignored })));
  if (refused.length > 0) return { refused };

  const hasUser = steps.some(({ agentUser }) => agentUser !== null);
  return {
    task: {
      dir,
      name: config.task?.name ?? basename(dir),
      config,
      machine: source,
      environmentFiles,
      imageUser: hasUser ? await userOfDockerfile(dockerfile) : null,
      earlier: earlier.messages,
      isMultiStep: config.steps.length > 0,
      steps,
      ...ignored,
      unknown,
    },
  };
}
