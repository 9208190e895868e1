import { textOf } from '@vf/core/trace';
import { handedIn, keyedIn, shownScreens, submitted, submitting, typing } from './manners.ts';
import type { Manner } from './manners.ts';
import type { Reply, ScriptedRequest } from './script.ts';
import { shellCall } from './shell-call.ts';
import { say } from './steps.ts';

/** How an agent wants its model to answer. */
type Form = 'tools' | 'submit' | 'keystrokes';

/** By what the agent tells its model above the first task. */
function formOf({ messages }: ScriptedRequest): Form {
  const first = messages.findIndex(({ role }) => role === 'user');
  const opening = messages
    .slice(0, first + 1)
    .map(({ content }) => textOf(content))
    .join('\n');
  if (/"keystrokes"/.test(opening) && /"task_complete"/.test(opening)) return 'keystrokes';
  return opening.includes('COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT') ? 'submit' : 'tools';
}

/**
 * Runs a shell command in the way that the asking agent understands: a call of its shell tool, or the keystrokes of
 * Terminus 2. null when it has no shell.
 */
export function runShell(request: ScriptedRequest, command: string): Reply | null {
  return formOf(request) === 'keystrokes' ? keyedIn(command) : shellCall(request.tools, command);
}

/**
 * Ends the task in the way that the asking agent understands: closing words, the last command of mini-SWE-agent, or the
 * `task_complete` of Terminus 2.
 */
export function handIn(request: ScriptedRequest, text = 'Done.'): Reply {
  const form = formOf(request);
  if (form === 'keystrokes') return handedIn(text);
  return form === 'submit' ? submitted(text) : say(text);
}

/** What tools, or the terminal of Terminus 2, have answered so far in the prompt, oldest first. */
export function resultsOf(request: ScriptedRequest): string[] {
  const messages = formOf(request) === 'keystrokes' ? shownScreens(request) : request.messages;
  return messages.flatMap(({ role, content }) => (role === 'tool' ? [textOf(content)] : []));
}

/** Says what a script says, written for an agent with a shell tool, in the form that the asking agent demands. */
export const fitting: Manner = (script) => (request) => {
  const form = formOf(request);
  if (form === 'tools') return script(request);
  return (form === 'submit' ? submitting : typing)(script)(request);
};
