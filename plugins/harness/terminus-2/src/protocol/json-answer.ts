import { isObject } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { Answer, Command } from './answer.ts';
import { defaultDuration, failedAnswer, lineWarnings, maxDuration } from './answer.ts';
import { findObject } from './find-object.ts';

const fields = ['analysis', 'plan', 'commands'];

/** Reads a reply that is a JSON object, however much stands around it. */
export function readJson(reply: string): Answer {
  const { object, warnings: around } = findObject(reply);
  if (object === null) return failedAnswer('There is no JSON object in the answer.', around);
  const isComplete = saysYes(object['task_complete']);
  const missing = fields.filter((field) => !(field in object));
  if (missing.length > 0) return failedAnswer(`Missing: ${missing.join(', ')}.`, around);
  const warnings = [...around, ...orderWarnings(object), ...typeWarnings(object)];
  const read = commandsOf(object['commands']);
  if (typeof read === 'string') {
    if (!isComplete) return failedAnswer(read, warnings);
    return { commands: [], isComplete, error: null, warnings: [...warnings, read] };
  }
  const { commands } = read;
  return {
    commands,
    isComplete,
    error: null,
    warnings: [...warnings, ...read.warnings, ...lineWarnings(commands)],
  };
}

function saysYes(value: unknown): boolean {
  if (typeof value === 'string') return /^(?:true|1|yes)$/i.test(value.trim());
  return value === true;
}

function orderWarnings(object: JsonObject): readonly string[] {
  const given = Object.keys(object).filter((key) => fields.includes(key));
  return given.join() === fields.join()
    ? []
    : [`The fields are best in the order ${fields.join(', ')}.`];
}

function typeWarnings(object: JsonObject): readonly string[] {
  return ['analysis', 'plan']
    .filter((field) => typeof object[field] !== 'string')
    .map((field) => `${field} is no text.`);
}

type ReadCommands = { readonly commands: Command[]; readonly warnings: string[] };

/** @returns in words what is wrong, when a command cannot be typed */
function commandsOf(value: unknown): ReadCommands | string {
  if (!Array.isArray(value)) return 'commands is no list.';
  const read: ReadCommands = { commands: [], warnings: [] };
  for (const [index, item] of value.entries()) {
    const name = `Command ${index + 1}`;
    if (!isObject(item)) return `${name} is no object.`;
    const { keystrokes, duration, ...others } = item;
    if (typeof keystrokes !== 'string') return `${name} has no keystrokes, or they are no text.`;
    const known = typeof duration === 'number' && duration >= 0;
    if (!known)
      read.warnings.push(`${name} has no usable duration: ${defaultDuration} s is taken.`);
    const unknown = Object.keys(others);
    if (unknown.length > 0)
      read.warnings.push(`${name} has unknown fields: ${unknown.join(', ')}.`);
    read.commands.push({
      keystrokes,
      duration: known ? Math.min(duration, maxDuration) : defaultDuration,
    });
  }
  return read;
}
