import type { Message, ToolSpec } from '@vf/core';
import { textOf } from '@vf/core/trace';
import type { Reply, ScriptedRequest, ScriptFunction, Step } from './script.ts';
import { callTool, say, stepsOf } from './steps.ts';

/** Says what a script says in the form that an agent demands of its model. */
export type Manner = (script: ScriptFunction) => ScriptFunction;

/** mini-SWE-agent: closing words are a last command, that hands the work in. */
export const submitting: Manner = (script) => async (request) =>
  inWords(await script(request), submitted);

/**
 * Terminus 2: a JSON object of keystrokes. The script sees a tool `bash {command}`, and what the terminal shows as its
 * results.
 */
export const typing: Manner = (script) => async (request) => {
  const reply = await script({
    ...request,
    tools: [...request.tools, terminal],
    messages: shownScreens(request),
  });
  const typed = stepsOf(reply).map((step) => (step.type === 'call' ? keystrokesOf(step) : step));
  return inWords(typed, handedIn);
};

/** The command with which mini-SWE-agent hands its work in. */
export function submitted(text: string): Step {
  return callTool('bash', {
    command: `echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; cat <<'EOT'\n${text}\nEOT`,
  });
}

/** A command typed into Terminus 2. */
export function keyedIn(command: string): Step {
  const commands = [{ keystrokes: `${command}\n`, duration: 1 }];
  return say(JSON.stringify({ analysis: '', plan: 'Run it.', commands }));
}

/** The end of a task of Terminus 2. */
export function handedIn(text: string): Step {
  return say(JSON.stringify({ analysis: text, plan: '', commands: [], task_complete: true }));
}

/** The messages with what the terminal of Terminus 2 shows as results of a tool. */
export function shownScreens(request: ScriptedRequest): readonly Message[] {
  return request.messages.map(asResult(request));
}

const terminal: ToolSpec = {
  name: 'bash',
  parameters: { type: 'object', properties: { command: { type: 'string' } } },
};

/** Text that is no JSON object is said in other words; what is no text stays. */
function inWords(reply: Reply, words: (text: string) => Step): readonly Step[] {
  return stepsOf(reply).map((step) =>
    step.type === 'text' && !step.text.startsWith('{"analysis"') ? words(step.text) : step,
  );
}

function keystrokesOf({ arguments: args }: Step & { readonly type: 'call' }): Step {
  const { command = '' } = JSON.parse(args) as { command?: string };
  return keyedIn(command);
}

/** What the user says after the first reply is the terminal, unless it is a further task. */
function asResult({ messages }: ScriptedRequest): (message: Message, index: number) => Message {
  const first = messages.findIndex(({ role }) => role === 'assistant');
  const isTask = ({ content }: Message): boolean => textOf(content).startsWith('A further task:');
  return (message, index) =>
    message.role === 'user' && first >= 0 && index > first && !isTask(message)
      ? { role: 'tool', toolCallId: `typed-${index}`, content: message.content }
      : message;
}
