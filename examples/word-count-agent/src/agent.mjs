// An agent of its own: asks a Chat Completions endpoint, and counts words when it is told to.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

const { OPENAI_BASE_URL, OPENAI_API_KEY, MODEL } = process.env;

const countWords = {
  name: 'count_words',
  description: 'Counts the words of a file',
  parameters: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
};

const messages = [{ role: 'user', content: await text(process.stdin) }];
for (;;) {
  const reply = await ask();
  messages.push(reply);
  if (!reply.tool_calls?.length) break;
  for (const call of reply.tool_calls) {
    messages.push({ role: 'tool', tool_call_id: call.id, content: await run(call.function) });
  }
}
process.stdout.write(`${messages.at(-1).content}\n`);

async function ask() {
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` },
    body: JSON.stringify({
      model: MODEL,
      messages,
      tools: [{ type: 'function', function: countWords }],
    }),
  });
  if (!response.ok)
    throw new Error(`the model answered ${response.status}: ${await response.text()}`);
  const { choices } = await response.json();
  return choices[0].message;
}

/** What goes wrong is for the model to hear. */
async function run({ name, arguments: json }) {
  try {
    if (name !== countWords.name) throw new Error(`there is no tool ${name}`);
    const content = await readFile(JSON.parse(json).file, 'utf8');
    return String(content.split(/\s+/).filter((word) => word !== '').length);
  } catch (error) {
    return `failed: ${error.message}`;
  }
}
