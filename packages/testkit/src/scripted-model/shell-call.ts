import type { ToolSpec } from '@vf/core';
import type { Reply } from './script.ts';
import { callTool } from './steps.ts';

/** Shell tools by name, and the argument that holds the command where the tool's schema does not tell. */
const shells: Readonly<Record<string, (command: string) => object>> = {
  // Codex
  exec_command: (cmd) => ({ cmd }),
  shell: (command) => ({ command: inShell(command) }),
  // Claude Code, Kimi Code
  Bash: described,
  // vf's own loop, opencode, pi, mini-swe-agent
  bash: described,
  // Gemini CLI, Qwen Code
  run_shell_command: described,
};

const commandNames = ['command', 'cmd', 'script'];

/** The shell call that fits the tools at hand; null when none of them is a known shell. */
export function shellCall(tools: readonly ToolSpec[], command: string): Reply | null {
  const tool = tools.find(({ name }) => Object.hasOwn(shells, name));
  return tool === undefined ? null : callTool(tool, argumentsFor(tool, command));
}

/** The command in the form that the tool's schema asks for: under which name, as text or as a list of words. */
function argumentsFor(tool: ToolSpec, command: string): object {
  const properties = tool.parameters?.['properties'];
  const name = commandNames.find((known) => isRecord(properties) && known in properties);
  if (!isRecord(properties) || name === undefined) return shells[tool.name]?.(command) ?? {};
  const told = 'description' in properties ? { description } : {};
  return { [name]: takesList(properties[name]) ? inShell(command) : command, ...told };
}

const description = 'Run the scripted command';

function described(command: string): object {
  return { command, description };
}

function inShell(command: string): readonly string[] {
  return ['sh', '-c', command];
}

/** `{ type: 'array' }`, also among several types; a schema that takes both gets text. */
function takesList(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const { type, anyOf, oneOf } = schema;
  const choices = [anyOf, oneOf].find(Array.isArray) as readonly unknown[] | undefined;
  if (choices !== undefined) return choices.some(takesList) && !choices.some(takesText);
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.includes('array') && !types.includes('string');
}

function takesText(schema: unknown): boolean {
  return isRecord(schema) && schema['type'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
