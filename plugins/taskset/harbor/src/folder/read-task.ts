import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '@vf/core/errors';
import { parseTask } from '../format/parse-task.ts';
import type { HarborTask } from './harbor-task.ts';
import { imageOf, userOfDockerfile } from './image.ts';
import { isFile, isFolder } from './look.ts';
import { missingFiles, stepsOf } from './steps.ts';
import { unsupportedFiles, unsupportedKeys } from './unsupported.ts';

/** A task, or everything that is wrong with its folder. */
export type ReadTask = { readonly task: HarborTask } | { readonly refused: readonly Problem[] };

/** @param dir absolute path of the task's folder */
export async function readTask(dir: string): Promise<ReadTask> {
  const file = join(dir, 'task.toml');
  const parsed = parseTask(await readFile(file, 'utf8'), file);
  if ('refused' in parsed) return parsed;
  const { config, unknown } = parsed;
  const [missing, foreign] = await Promise.all([
    missingFiles(dir, config),
    unsupportedFiles(dir, config),
  ]);
  const hasCompose = foreign.some(({ file: name }) => name.endsWith('docker-compose.yaml'));
  const refused: Problem[] = [
    ...parsed.problems(unsupportedKeys(config)),
    ...foreign.map(({ file: name, message }) => ({ file: join(dir, name), message })),
    ...missing
      .filter((name) => !(hasCompose && name.endsWith('Dockerfile')))
      .map((name) => ({ file: join(dir, name), message: 'the file is missing' })),
  ];
  const environment = join(dir, 'environment');
  const image = await imageOf(config.environment, environment);
  if (refused.length > 0 || image === null) return { refused };

  const dockerfile = join(environment, 'Dockerfile');
  const sendsFiles = !(await isFile(dockerfile)) && (await isFolder(environment));
  return {
    task: {
      dir,
      name: config.task?.name ?? basename(dir),
      config,
      image,
      environmentFiles: sendsFiles ? environment : null,
      imageUser: config.agent.user === undefined ? null : await userOfDockerfile(dockerfile),
      isMultiStep: config.steps.length > 0,
      steps: await stepsOf({ dir, config, image }),
      unknown,
    },
  };
}
