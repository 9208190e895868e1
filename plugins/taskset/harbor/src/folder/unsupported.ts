import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Machine, TaskConfig, Verifier } from '../format/schema.ts';
import type { Fault } from '../format/table.ts';
import { isFile } from './look.ts';

/** What a task asks for and vf does not give: the task is refused rather than played without it. */
export function unsupportedKeys(config: TaskConfig): Fault[] {
  const { agent } = config;
  const verifiers: [Fault['path'], Verifier][] = [
    [['verifier'], config.verifier],
    ...config.steps.map(({ verifier }, i): [Fault['path'], Verifier] => [
      ['steps', i, 'verifier'],
      verifier,
    ]),
  ];
  return [
    ...ofMachine(config.environment, ['environment']),
    ...verifiers.flatMap(([path, verifier]) => ofVerifier(verifier, path)),
    ...ofArtifacts(config.artifacts, []),
    ...config.steps.flatMap((step, i) => [
      ...ofArtifacts(step.artifacts, ['steps', i]),
      ...(step.agent.user === undefined || step.agent.user === agent.user
        ? []
        : [
            {
              path: ['steps', i, 'agent', 'user'],
              message: 'all steps must have the user of [agent]',
            },
          ]),
    ]),
  ];
}

function ofMachine(machine: Machine, path: Fault['path']): Fault[] {
  const fault = (key: string, message: string): Fault => ({ path: [...path, key], message });
  return [
    ...(machine.os === 'windows' ? [fault('os', 'Windows machines are not supported')] : []),
    ...(machine.tpu === undefined ? [] : [fault('tpu', 'TPUs are not supported')]),
    ...((machine.gpu_types ?? []).length > 0 && (machine.gpus ?? 0) > 0
      ? [fault('gpu_types', 'a kind of GPU cannot be asked for')]
      : []),
    ...(machine.mcp_servers.length > 0
      ? [fault('mcp_servers', 'MCP servers of a task are not handed to agents')]
      : []),
  ];
}

function ofVerifier({ collect, environment }: Verifier, path: Fault['path']): Fault[] {
  return [
    ...collect.flatMap(({ service }, i) =>
      service === 'main'
        ? []
        : [
            {
              path: [...path, 'collect', i, 'service'],
              message: 'there are no services beside main',
            },
          ],
    ),
    ...(environment === undefined ? [] : ofMachine(environment, [...path, 'environment'])),
  ];
}

function ofArtifacts(artifacts: TaskConfig['artifacts'], path: Fault['path']): Fault[] {
  return artifacts.flatMap((entry, i) =>
    typeof entry === 'string' || entry.service === 'main'
      ? []
      : [
          {
            path: [...path, 'artifacts', i, 'service'],
            message: 'there are no services beside main',
          },
        ],
  );
}

/** Files that change how a task is played, in words; paths are relative to its folder. */
export async function unsupportedFiles(
  dir: string,
  config: TaskConfig,
): Promise<{ readonly file: string; readonly message: string }[]> {
  const compose = 'compose files with services beside main are not supported';
  const steps = config.steps.map(({ name }) => `steps/${name}`);
  const fixed = [
    ['environment/docker-compose.yaml', compose],
    ...['tests', ...steps.map((step) => `${step}/tests`)].map((folder) => [
      `${folder}/docker-compose.yaml`,
      compose,
    ]),
    ...['.', ...steps].map((folder) => [
      join(folder, 'trajectory.json'),
      'agents cannot be started from an earlier trajectory',
    ]),
  ];
  const found = await Promise.all(
    fixed.map(async ([file = '', message = '']) =>
      (await isFile(join(dir, file))) ? [{ file, message }] : [],
    ),
  );
  return [...found.flat(), ...(await ignoreFiles(dir, steps))];
}

async function ignoreFiles(dir: string, steps: readonly string[]) {
  const folders = ['', ...steps].flatMap((step) => [join(step, 'tests'), join(step, 'solution')]);
  const files = await Promise.all(
    folders.map(async (folder) => {
      const inside = await readdir(join(dir, folder), { recursive: true }).catch(() => []);
      return inside
        .filter((file) => basename(file) === '.harborignore')
        .map((file) => join(folder, file));
    }),
  );
  return files.flat().map((file) => ({ file, message: 'files to leave out are not supported' }));
}
