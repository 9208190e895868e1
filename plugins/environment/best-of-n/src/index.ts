import { defineEnvironment } from '@vf/core';
import { config } from './config.ts';
import { playBestOf } from './play-best-of.ts';

export default defineEnvironment({
  config,
  roles: { solver: { summary: 'tries the task n times' } },
  play: playBestOf,
});
