import type { Call, Settings } from '@vf/core';
import { present } from '@vf/core/dialect';
import { plainKeys, writeResponseFormat, writeToolChoice } from './settings.ts';
import { writeTool } from './tools.ts';
import { writeMessage } from './write-message.ts';

/** The whole request for a provider that speaks Chat Completions. */
export function write(call: Call): Record<string, unknown> {
  const tools = call.tools.map(writeTool).filter((tool) => tool !== null);
  return present<Record<string, unknown>>({
    model: call.settings.model,
    messages: [...call.preamble, ...call.messages].map(writeMessage),
    tools: tools.length === 0 ? null : tools,
    ...settingKeys(call.settings, tools.length > 0),
  });
}

function settingKeys(settings: Settings, hasTools: boolean): Record<string, unknown> {
  const { parallelToolCalls, ...plain } = plainKeys;
  const keys = Object.entries(plain).map(([name, key]) => [
    key,
    settings[name as keyof typeof plain],
  ]);
  return {
    ...settings.extra,
    ...Object.fromEntries(keys),
    max_completion_tokens: settings.maxOutputTokens,
    stream_options: streamOptions(settings),
    response_format: settings.responseFormat && writeResponseFormat(settings.responseFormat),
    ...(hasTools && {
      [parallelToolCalls]: settings.parallelToolCalls,
      tool_choice: settings.toolChoice && writeToolChoice(settings.toolChoice),
    }),
  };
}

function streamOptions(settings: Settings): unknown {
  if (!settings.stream) return null;
  const asked = settings.extra?.['stream_options'];
  const usage = settings.includeUsage === undefined ? {} : { include_usage: settings.includeUsage };
  const options = { ...(typeof asked === 'object' ? asked : {}), ...usage };
  return Object.keys(options).length === 0 ? null : options;
}
