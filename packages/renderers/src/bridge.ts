import type { Message } from '@vf/core';
import type { Bound } from './bound.ts';
import { checkTools } from './content.ts';
import { appended } from './appended.ts';
import { encodeScript } from './encode-script.ts';
import { withColumns } from './lazy-columns.ts';
import type { Rendered } from './rendered.ts';
import type { BridgeRequest, Retention } from './renderer.ts';
import { Script } from './script.ts';
import type { Run } from './script.ts';

/** See `Renderer.bridge`. */
export function bridge(bound: Bound, request: BridgeRequest): Rendered | null {
  const { previous, messages, from, tools = [] } = request;
  const { template } = bound;
  if (previous.promptIds.length === 0 || from >= messages.length) return null;
  if (!allows(template.retention, messages, from)) return null;
  checkTools(tools);
  const { ids, ended } = upToStop(bound, previous.completionIds);
  const conversation = { messages, tools, from, generation: true, lastQuery: -1 };
  if (template.bridges?.(conversation, ended) === false) return null;
  const script = new Script();
  if (ended === null) script.frame(template.close);
  script.frame(template.separator);
  for (let index = from; index < messages.length; index++) {
    script.message = index - from;
    template.message(script, conversation, index);
  }
  script.message = -1;
  template.generationPrompt(script, conversation);
  const runs = template.close === '' ? withoutOpening(script.runs, ended) : script.runs;
  const rendered = encodeScript(runs, bound.tokenizer, bound.pattern, messages.length - from);
  return behind(previous.promptIds, ids, rendered);
}

function allows(retention: Retention, messages: readonly Message[], from: number): boolean {
  if (retention === 'template') return false;
  for (let index = from; index < messages.length; index++) {
    const role = messages[index]?.role;
    if (role === 'assistant' || (role === 'user' && retention === 'tool_cycle')) return false;
  }
  return true;
}

/** A completion without what was sampled after its stop token; `ended` is null when it was cut before one. */
function upToStop(
  { stops }: Bound,
  completion: Int32Array,
): { readonly ids: Int32Array; readonly ended: string | null } {
  for (let at = completion.length - 1; at >= 0; at--) {
    const ended = stops.get(completion[at] as number);
    if (ended !== undefined) return { ids: completion.subarray(0, at + 1), ended };
  }
  return { ids: completion, ended: null };
}

/** Where the next header ends a reply, the model has sampled its first token already. */
function withoutOpening(runs: readonly Run[], ended: string | null): readonly Run[] {
  const [first, ...rest] = runs;
  if (ended === null || first === undefined || !first.text.startsWith(ended)) return runs;
  return [{ ...first, text: first.text.slice(ended.length) }, ...rest];
}

/**
 * The old ids in front of what was rendered; the old part keeps no attribution. The long columns that say nothing of it
 * are made when they are asked for: in a long conversation they would cost more than the new messages.
 */
function behind(prompt: Int32Array, completion: Int32Array, added: Rendered): Rendered {
  const start = prompt.length + completion.length;
  const total = start + added.tokenIds.length;
  const tokenIds = appended(prompt, completion, added.tokenIds);
  const shifted = (key: 'sampledMask' | 'isContent' | 'parts') => (): Uint8Array => {
    const all = new Uint8Array(total);
    all.set(added[key], start);
    return all;
  };
  return withColumns(
    {
      tokenIds,
      spans: added.spans.map((span) => span && [span[0] + start, span[1] + start]),
      spelledControls: added.spelledControls,
    },
    {
      messageIndices() {
        const all = new Int32Array(total).fill(-1, 0, start);
        all.set(added.messageIndices, start);
        return all;
      },
      sampledMask: shifted('sampledMask'),
      isContent: shifted('isContent'),
      parts: shifted('parts'),
    },
  );
}
