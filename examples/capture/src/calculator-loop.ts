import type { AssistantMessage, Message, ModelReply, ModelRequest, ToolSpec } from '@vf/core';

const numbers = { type: 'number' };
const parameters = { type: 'object', properties: { a: numbers, b: numbers }, required: ['a', 'b'] };
const tools: readonly ToolSpec[] = [
  { name: 'add', description: 'a + b', parameters },
  { name: 'multiply', description: 'a * b', parameters },
];

/** The loop as it was before anybody captured it: it knows nothing of vf but the form of messages. */
export async function calculatorLoop(
  question: string,
  model: (request: ModelRequest) => Promise<ModelReply>,
  mostTurns = 5,
): Promise<string | null> {
  const messages: Message[] = [
    { role: 'system', content: 'Use the calculator. Answer with the number alone.' },
    { role: 'user', content: question },
  ];
  for (let turn = 0; turn < mostTurns; turn++) {
    const { message } = await model({ messages, tools });
    messages.push(message, ...resultsOf(message));
    if (message.toolCalls === undefined) return message.content;
  }
  return null;
}

function resultsOf({ toolCalls = [] }: AssistantMessage): Message[] {
  return toolCalls.map(({ id, name, arguments: text }) => {
    const { a, b } = JSON.parse(text) as { a: number; b: number };
    return { role: 'tool', toolCallId: id, content: String(name === 'add' ? a + b : a * b) };
  });
}
