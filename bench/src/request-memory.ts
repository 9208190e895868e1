/**
 * Time to find what is new in a request that restates its whole conversation, beside `JSON.parse` of its body.
 * `node --conditions=@vf/source bench/src/request-memory.ts` prints one line per conversation length.
 */
import chatCompletions from '@vf/dialect-chat-completions';
import { MessageGraph } from '@vf/core/trace';
import { RequestMemory } from '@vf/interception';

/** Bytes of one item; a turn is an assistant item and a tool result. */
const itemSize = 1000;
/** Size of the chunks that a socket gives. */
const chunkSize = 64 * 1024;
const path = '/v1/chat/completions';
const filler = 'the quick brown fox jumps over \\"the lazy dog\\"\\n';
const tools = Array.from({ length: 10 }, (_, at) => ({
  type: 'function',
  function: {
    name: `tool_${at}`,
    description: 'x'.repeat(500),
    parameters: { type: 'object', properties: {} },
  },
}));

type Shell = (request: number) => string;
/** Every request of the conversation has the same bytes around its items, or (as Codex does) never the same. */
const shells: Readonly<Record<string, Shell>> = {
  'same shell': () => `"tools":${JSON.stringify(tools)}}`,
  'new shell each time': (request) =>
    `"tools":${JSON.stringify(tools)},"metadata":{"turn":"${request}"}}`,
};

function itemText(role: string, at: number, extra: string): string {
  const text = filler
    .repeat(Math.ceil(itemSize / filler.length))
    .slice(0, itemSize - (itemSize % filler.length));
  return `{"role":"${role}"${extra},"content":"${at} ${text}"}`;
}

function chunksOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkSize)
    chunks.push(Buffer.from(bytes.subarray(at, at + chunkSize)));
  return chunks;
}

interface Measured {
  readonly bytes: number;
  readonly milliseconds: number;
  readonly parse: number;
}

/** Plays a conversation of `turns` turns and times its last ten requests; medians over `rounds` conversations. */
function measure(turns: number, rounds: number, shell: Shell): Measured {
  const times: number[] = [];
  const parses: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const graph = new MessageGraph();
    const memory = new RequestMemory(graph, chatCompletions);
    const items = [itemText('system', 0, ''), itemText('user', 0, '')];
    for (let turn = 0; turn < turns; turn++) {
      const body = chunksOf(`{"model":"m","messages":[${items.join(',')}],${shell(turn)}`);
      bytes = body.reduce((sum, chunk) => sum + chunk.length, 0);
      const start = performance.now();
      const request = memory.read(body, path);
      request.edited(want);
      const read = performance.now() - start;
      const prompt = request.tail.map(({ said }) => ({ said }));
      const assistant = itemText('assistant', turn, '');
      const message = {
        role: 'assistant',
        content: (JSON.parse(assistant) as { content: string }).content,
      } as const;
      const committed = graph.commit(request.at, prompt, { message }, { timestamp: 0 });
      const settling = performance.now();
      request.settle(committed);
      if (turn >= turns - 10) {
        times.push(read + performance.now() - settling);
        const parsing = performance.now();
        JSON.parse(Buffer.concat(body).toString());
        parses.push(performance.now() - parsing);
      }
      items.push(assistant, itemText('tool', turn, `,"tool_call_id":"call_${turn}"`));
    }
  }
  return { bytes, milliseconds: median(times), parse: median(parses) };
}

const want = { model: 'other' };

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? 0;
}

for (const [name, shell] of Object.entries(shells)) {
  measure(40, 20, shell);
  for (const [turns, rounds] of [
    [40, 50],
    [400, 10],
  ] as const) {
    const { bytes, milliseconds, parse } = measure(turns, rounds, shell);
    console.log(
      `${name}, turn ${turns} (${Math.round(bytes / 1000)} kB): ${milliseconds.toFixed(3)} ms, JSON.parse ${parse.toFixed(3)} ms, ${(parse / milliseconds).toFixed(0)} times as fast`,
    );
  }
}
