import { defineEnvironment } from '@vf/core';
import { config } from './config.ts';
import { playJudge } from './play-judge.ts';

export default defineEnvironment({
  config,
  roles: {
    solver: { summary: 'works on the task' },
    judge: { trainable: false, scored: false, summary: 'looks at the work and gives a verdict' },
  },
  play: playJudge,
});
