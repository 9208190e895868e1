import type { Message } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { say, shellCall, solveWithShell, toolCall } from '@vf/testkit';
import type { Reply, Script, ScriptFunction, ScriptedRequest } from '@vf/testkit';

/** The real agents, installed from npm once per machine. */
export const agents = ['codex', 'claude-code'] as const;

/** An agent that has to be installed and run. */
export const limit = 120_000;

/** Solves the file-editing tasks: one shell call, then a word. */
export const editScript = solveWithShell(({ messages }) => {
  const asked = /In the file (\S+), replace every "(\w+)" by "(\w+)"/.exec(allText(messages)) ?? [];
  const [, file, find, replace] = asked;
  return `sed -i 's/${find}/${replace}/g' ${file} && cat ${file}`;
});

/** Runs another command for each result that has come, and never says that it is done. */
export const neverDone: Script = ({ tools, turn }) =>
  shellCall(tools, `echo round ${turn + 1}`) ?? say('No shell.');

/** The first `commands.length` replies run a command each; then the model says `closing`. */
export function inTurn(commands: readonly string[], closing = 'Done.'): ScriptFunction {
  return ({ tools, turn }) => {
    const command = commands[turn];
    return (command === undefined ? null : shellCall(tools, command)) ?? say(closing);
  };
}

/** Calls a tool of the task, by whatever name the agent offers it. */
export function taskCall({ tools }: ScriptedRequest, name: string, args: object): Reply {
  return toolCall(tools, name, args) ?? say(`there is no tool ${name}`);
}

/** Texts of the tool results in a prompt, oldest first. */
export function resultsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : []));
}

function allText(messages: readonly Message[]): string {
  return messages.map(({ content }) => textOf(content)).join('\n');
}
