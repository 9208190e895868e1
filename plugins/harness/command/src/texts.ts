import type { HarnessSettings } from '@vf/core';
import type { Config } from './config.ts';

/** All texts of the settings that the agent's turns are made of. */
export function textsOf({ config, env }: HarnessSettings<Config>): readonly string[] {
  return [
    ...config.run,
    ...(config.continue ?? []),
    ...Object.values(config.files),
    ...Object.values(env),
  ];
}
