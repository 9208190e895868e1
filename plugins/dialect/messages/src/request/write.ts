import type { Call, Message, Part, Settings } from '@vf/core';
import { isObject, objectOf, present } from '@vf/core/dialect';
import { writeContent } from './content.ts';
import { plainKeys, writeFormat, writeToolChoice } from './settings.ts';
import { writeTool } from './tools.ts';
import { writeMessages } from './write-message.ts';

/** The format requires a limit; this one every current model takes. */
const defaultMaxTokens = 8192;

/** The whole request for a provider that speaks Messages. */
export function write(call: Call): Record<string, unknown> {
  const all = [...call.preamble, ...call.messages];
  const start = all.findIndex((message) => message.role !== 'system');
  const system = all.slice(0, start < 0 ? all.length : start);
  const tools = call.tools.map(writeTool).filter((tool) => tool !== null);
  return present<Record<string, unknown>>({
    model: call.settings.model,
    max_tokens: defaultMaxTokens,
    system: writeSystem(system),
    messages: writeMessages(all.slice(system.length)),
    tools: tools.length === 0 ? null : tools,
    ...settingKeys(call.settings, tools.length > 0),
  });
}

function writeSystem(system: readonly Message[]): unknown {
  const [first] = system;
  if (first === undefined) return null;
  const parts = system.flatMap(({ content }): readonly Part[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []),
  );
  return system.length === 1 ? writeContent(first.content ?? '') : writeContent(parts);
}

function settingKeys(settings: Settings, hasTools: boolean): Record<string, unknown> {
  const keys = Object.entries(plainKeys)
    .map(([name, key]) => [key, settings[name as keyof typeof plainKeys]] as const)
    .filter(([, value]) => value !== undefined);
  const effort = settings.reasoningEffort;
  const output = {
    ...objectOf(settings.extra?.['output_config']),
    ...present({
      effort: effort === 'none' ? null : effort,
      format: settings.responseFormat && writeFormat(settings.responseFormat),
    }),
  };
  return {
    ...settings.extra,
    ...Object.fromEntries(keys),
    output_config: Object.keys(output).length === 0 ? null : output,
    ...(hasTools && isObject(choiceOf(settings)) ? { tool_choice: choiceOf(settings) } : {}),
  };
}

function choiceOf(settings: Settings): unknown {
  if (settings.toolChoice === undefined && settings.parallelToolCalls === undefined) return null;
  return writeToolChoice(settings, {});
}
