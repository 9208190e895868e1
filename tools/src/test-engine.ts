import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { root } from './workspace.ts';

/**
 * Starts a Docker engine with the images of the tests where VF_TEST_ENGINE says `start`. Resolves when it answers, or
 * when it cannot be had: then the tests that need it say so.
 */
export function startTestEngine(): Promise<void> {
  if (process.env['VF_TEST_ENGINE'] !== 'start') return Promise.resolve();
  return new Promise((resolve) => {
    execFile(join(root, 'tools/docker-engine'), (error, _stdout, stderr) => {
      if (error) console.log(`tools/docker-engine failed:\n${stderr}`);
      resolve();
    });
  });
}
