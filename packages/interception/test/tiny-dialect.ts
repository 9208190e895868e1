import { textOf } from '@vf/core/trace';
import type { AssistantMessage, Edit, Message, RequestFormat, Settings, ToolCall } from '@vf/core';

interface Item {
  readonly role: string;
  readonly content?: string;
  readonly calls?: readonly ToolCall[];
  readonly results?: readonly { readonly id: string; readonly content: string }[];
  readonly mark?: boolean;
}

/**
 * A wire format with every trait that is hard to read piecewise: runs of assistant items are one message (as in
 * Responses), one user item may hold several tool results and a text (as in Messages), the system prompt stands outside.
 */
export const tinyFormat: RequestFormat = {
  growing: 'messages',
  opens: (item, previous) => roleOf(item) !== 'assistant' || roleOf(previous) !== 'assistant',
  messages,
  preamble: ({ system, messages: input }) => [
    ...(typeof system === 'string' ? [{ role: 'system', content: system } as const] : []),
    ...(typeof input === 'string' ? [{ role: 'user', content: input } as const] : []),
  ],
  tools: ({ tools }) => (Array.isArray(tools) ? tools.map((name) => ({ name: String(name) })) : []),
  settings: ({ model, stream, temperature }, path) => ({
    model: typeof model === 'string' ? model : (/^\/models\/(.*)$/.exec(path)?.[1] ?? ''),
    stream: stream === true,
    ...(typeof temperature === 'number' ? { temperature } : {}),
  }),
  edits,
  rewrite,
  restates: (sampled, said) => withoutReasoning(sampled) === withoutReasoning(said),
  write: () => ({}),
  continues: ({ previous }) => (typeof previous === 'string' ? previous : null),
};

function roleOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null ? (item as Item).role : undefined;
}

function messages(group: readonly unknown[]): readonly Message[] {
  const items = group.filter((item): item is Item => typeof item === 'object' && item !== null);
  if (items[0]?.role === 'assistant') return [assistant(items)];
  return items.flatMap(({ content, results }): Message[] => [
    ...(results ?? []).map(
      (result) => ({ role: 'tool', toolCallId: result.id, content: result.content }) as const,
    ),
    ...(content === undefined ? [] : [{ role: 'user', content } as const]),
  ]);
}

function assistant(items: readonly Item[]): AssistantMessage {
  const toolCalls = items.flatMap(({ calls }) => calls ?? []);
  const content = items.map((item) => item.content ?? '').join('');
  return { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}

function edits(
  want: Partial<Settings>,
  top: Readonly<Record<string, unknown>>,
  path: string,
): readonly Edit[] {
  const list: Edit[] = [];
  if (want.model !== undefined && path.startsWith('/models/'))
    list.push({ path: `/models/${want.model}` });
  else if (want.model !== undefined && top['model'] !== want.model)
    list.push({ key: 'model', value: want.model });
  if (want.temperature !== undefined && top['temperature'] !== want.temperature)
    list.push({ key: 'temperature', value: want.temperature });
  if (want.maxOutputTokens !== undefined)
    list.push({ key: 'limit', value: undefined }, { key: 'max', value: want.maxOutputTokens });
  return list;
}

function rewrite(group: readonly unknown[], index: number, message: Message): readonly Edit[] {
  const items = group as readonly Item[];
  const content = textOf(message.content);
  if (message.role === 'assistant') {
    return items.map((item, at) => ({
      item: at,
      value: at === 0 ? { ...item, content } : undefined,
    }));
  }
  const [item] = items;
  const results = item?.results ?? [];
  if (index >= results.length) return [{ item: 0, value: { ...item, content } }];
  return [
    {
      item: 0,
      value: {
        ...item,
        results: results.map((result, at) => (at === index ? { ...result, content } : result)),
      },
    },
  ];
}

function withoutReasoning({ content, toolCalls }: AssistantMessage): string {
  return JSON.stringify([content ?? '', (toolCalls ?? []).map(({ id, name }) => [id, name])]);
}
