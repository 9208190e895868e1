import type { Answer, Command } from './answer.ts';
import { defaultDuration, failedAnswer, lineWarnings, maxDuration } from './answer.ts';

/**
 * Reads a reply of tags. It is cut apart, not parsed: what stands between tags is taken as it is, entities and bare
 * angle brackets alike.
 */
export function readXml(reply: string): Answer {
  const root = /<response>([^]*?)<\/response>/.exec(reply);
  if (root === null) {
    const begun = reply.includes('<response>');
    return failedAnswer(begun ? '<response> is not closed.' : 'There is no <response>.');
  }
  const [whole, inner = ''] = root;
  const isComplete = /^(?:true|1|yes)$/i.test(sectionOf(inner, 'task_complete')?.trim() ?? '');
  const list = sectionOf(inner, 'commands') ?? (/<commands\s*\/>/.test(inner) ? '' : null);
  const warnings = [
    ...(reply.replace(whole, '').trim() === '' ? [] : ['Text around <response> was ignored.']),
    ...['analysis', 'plan']
      .filter((name) => sectionOf(inner, name) === null)
      .map((name) => `There is no <${name}>.`),
  ];
  if (list === null) {
    if (!isComplete) return failedAnswer('There is no <commands>.', warnings);
    return { commands: [], isComplete, error: null, warnings };
  }
  const read = commandsIn(list);
  return {
    commands: read.commands,
    isComplete,
    error: null,
    warnings: [...warnings, ...read.warnings, ...lineWarnings(read.commands)],
  };
}

function sectionOf(text: string, name: string): string | null {
  return new RegExp(`<${name}>([^]*?)</${name}>`).exec(text)?.[1] ?? null;
}

function commandsIn(list: string): { commands: readonly Command[]; warnings: readonly string[] } {
  const commands: Command[] = [];
  const warnings: string[] = [];
  for (const [, attributes = '', keystrokes = ''] of list.matchAll(
    /<keystrokes([^>]*)>([^]*?)<\/keystrokes>/g,
  )) {
    const name = `Command ${commands.length + 1}`;
    const [, said] = /\bduration\s*=\s*["']?([^"'\s]+)/.exec(attributes) ?? [];
    const seconds = said === undefined ? Number.NaN : Number(said);
    const known = seconds >= 0;
    if (!known) warnings.push(`${name} has no usable duration: ${defaultDuration} s is taken.`);
    commands.push({
      keystrokes,
      duration: known ? Math.min(seconds, maxDuration) : defaultDuration,
    });
  }
  if (commands.length === 0 && list.trim() !== '') warnings.push('No <keystrokes> in <commands>.');
  return { commands, warnings };
}
