import type { Machine, TaskConfig, Verifier } from '../format/schema.ts';
import type { Fault } from '../format/table.ts';

/** What a task asks for and vf does not give: the task is refused rather than played without it. */
export function unsupportedKeys(config: TaskConfig, hasServices: boolean): Fault[] {
  const verifiers: [Fault['path'], Verifier][] = [
    [['verifier'], config.verifier],
    ...config.steps.map(({ verifier }, i): [Fault['path'], Verifier] => [
      ['steps', i, 'verifier'],
      verifier,
    ]),
  ];
  return [
    ...ofMachine(config.environment, ['environment']),
    ...verifiers.flatMap(([path, { environment }]) =>
      environment === undefined ? [] : ofMachine(environment, [...path, 'environment']),
    ),
    ...(hasServices
      ? []
      : [
          ...verifiers.flatMap(([path, { collect }]) => ofServices(collect, [...path, 'collect'])),
          ...ofServices(config.artifacts, ['artifacts']),
          ...config.steps.flatMap(({ artifacts }, i) =>
            ofServices(artifacts, ['steps', i, 'artifacts']),
          ),
        ]),
  ];
}

function ofMachine(machine: Machine, path: Fault['path']): Fault[] {
  const fault = (key: string, message: string): Fault => ({ path: [...path, key], message });
  return [
    ...(machine.os === 'windows' ? [fault('os', 'Windows machines are not supported')] : []),
    ...(machine.tpu === undefined ? [] : [fault('tpu', 'TPUs are not supported')]),
  ];
}

function ofServices(
  entries: readonly (string | { readonly service: string })[],
  path: Fault['path'],
): Fault[] {
  return entries.flatMap((entry, i) =>
    typeof entry === 'string' || entry.service === 'main'
      ? []
      : [
          {
            path: [...path, i, 'service'],
            message: `there is no environment/docker-compose.yaml, so no service ${entry.service}`,
          },
        ],
  );
}
