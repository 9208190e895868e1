import { say, shellCall } from '@vf/testkit';
import type { ScriptFunction } from '@vf/testkit';
import { resultsIn, taskCall } from '../agents/scripts.ts';

/** Solves `mcp-tool`: asks the tool of the task's server, then writes down what it told. */
export const askVault: ScriptFunction = (request) => {
  const [told] = resultsIn(request.messages).slice(-1);
  if (told === undefined) return taskCall(request, 'word', {});
  const [word = 'nothing'] = /heron-\d+/.exec(told) ?? [];
  if (request.turn > 1) return say('Done.');
  return shellCall(request.tools, `printf %s ${word} > word.txt`) ?? say('No shell.');
};

/** Solves `sidecar`: orders from the service beside the agent's. */
export const orderLamp: ScriptFunction = (request) =>
  resultsIn(request.messages).length === 0
    ? taskCall(request, 'order', { item: 'lamp' })
    : say('Done.');
