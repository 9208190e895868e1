import type { AssistantMessage, ReadReply, ReplyWriter, WriterOptions } from '@vf/core';
import { isObject, parseJson } from '@vf/core/dialect';
import { errorBody } from '../errors.ts';
import { writeBlocks } from '../request/write-blocks.ts';
import type { WrittenBlock } from '../request/write-blocks.ts';
import { writeStop } from './write-stop.ts';
import { writeUsage } from './usage.ts';

const encoder = new TextEncoder();
const nothing = new Uint8Array(0);

/** Writes a reply in one piece; deltas before its end leave nothing. */
export class PlainWriter implements ReplyWriter {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  delta(): Uint8Array {
    return nothing;
  }

  end(reply: ReadReply): Uint8Array {
    return encoder.encode(
      reply.error === null ? this.#body(reply) : JSON.stringify(errorBody(reply.error)),
    );
  }

  #body(reply: ReadReply): string {
    const message: AssistantMessage = reply.message ?? { role: 'assistant', content: null };
    const head = {
      id: reply.id ?? this.#options.newId('msg_'),
      type: 'message',
      role: 'assistant',
      model: reply.model ?? this.#options.settings.model,
    };
    const tail = {
      ...writeStop(reply),
      usage: writeUsage(reply.usage),
    };
    const content = writeBlocks(message, true).map(blockJson).join(',');
    return `${JSON.stringify(head).slice(0, -1)},"content":[${content}],${JSON.stringify(tail).slice(1)}`;
  }
}

/** The input stands as it was sampled, so that no number loses digits on its way through us. */
function blockJson({ block, arguments: text }: WrittenBlock): string {
  const json = JSON.stringify(block);
  if (text === undefined) return json;
  const isInput = text.trim() === '' || isObject(parseJson(text));
  const input = isInput ? text.trim() || '{}' : JSON.stringify(text);
  return `${json.slice(0, -1)},"input":${input}}`;
}
