import type { NpmProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';

/** A script, with a Node of its own. */
export function programOf({ version }: Pick<Config, 'version'>): NpmProgram {
  return {
    name: 'pi',
    package: '@earendil-works/pi-coding-agent',
    version,
    executable: '@earendil-works/pi-coding-agent/dist/bundle/cli.js',
    node: '24.21.0',
  };
}
