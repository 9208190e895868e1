import { Template } from '@huggingface/jinja';
import type { Message } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { checkTools } from '../content.ts';
import { encodeScript } from '../encode-script.ts';
import { follow } from '../live/follow.ts';
import type { Parsed } from '../parsed.ts';
import type { Rendered } from '../rendered.ts';
import type { Renderer, RenderRequest } from '../renderer.ts';
import type { Run } from '../script.ts';
import { sha256 } from '../template-hash.ts';
import { ControlPattern } from '../tokenizer/control-pattern.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import { withPlainNumbers } from './exact-numbers.ts';
import { LiveThink } from './live-think.ts';
import { templateMessage, templateTool } from './template-input.ts';

/** What a model's own template is rendered with. */
export interface JinjaSource {
  /** `chat_template` of the model's tokenizer_config.json. */
  readonly template: string;
  readonly bosToken?: string;
  /** The token that ends a reply. */
  readonly eosToken: string;
  /** Ids of more tokens that end one. */
  readonly moreStopIds?: readonly number[];
  /** More variables for the template, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/**
 * The fallback for a model without a renderer: its own template by a Jinja engine. For evaluation and single turns;
 * `limits` says what it cannot do.
 * @throws VfError `misfit/tokenizer` when the template does not parse or the end token is unknown
 */
export function jinjaRenderer(source: JinjaSource, tokenizer: Tokenizer): Renderer {
  const template = parseTemplate(source.template);
  const pattern = new ControlPattern(tokenizer);
  const stop = tokenizer.controls.get(source.eosToken);
  if (stop === undefined) {
    const name = source.eosToken === '' ? 'no end token is named' : `no token ${source.eosToken}`;
    throw new VfError(
      'misfit/tokenizer',
      `The tokenizer does not say where replies end: ${name}.`,
      {
        hint: "Give the eos_token of the model's tokenizer_config.json.",
      },
    );
  }
  const stops = new Set([stop, ...(source.moreStopIds ?? [])]);
  const print = (
    request: RenderRequest,
    messages: readonly Message[],
    generation: boolean,
  ): string =>
    printed(template, {
      ...source.variables,
      bos_token: source.bosToken ?? '',
      eos_token: source.eosToken,
      messages: messages.map(templateMessage),
      ...(request.tools === undefined || request.tools.length === 0
        ? {}
        : { tools: request.tools.map(templateTool) }),
      add_generation_prompt: generation,
    });
  return {
    family: 'jinja',
    retention: 'template',
    templateSha256: sha256(source.template),
    limits: jinjaLimits,
    stopIds: [...stops],
    render(request) {
      checkTools(request.tools ?? []);
      const text = print(request, request.messages, request.generationPrompt ?? true);
      const ends = endsOf(text, request.messages, (messages) => print(request, messages, false));
      const runs = runsOf(
        text,
        ends.map((end) => pattern.startOf(text, end)),
      );
      const rendered = encodeScript(runs, tokenizer, pattern, request.messages.length);
      return withoutMasks(rendered);
    },
    parse: (ids) => parseText(textUntil(ids, stops, tokenizer)),
    follow: () => follow(new LiveThink(), { tokenizer, names: null, stops }),
    bridge: () => null,
  };
}

/** What the fallback cannot do, for whoever shows which renderer a run has. */
const jinjaLimits: readonly string[] = [
  'no loss mask and no content mask',
  'no bridge: every turn is rendered anew, so past replies are tokenised again',
  'tool calls are not parsed',
  'messages are found by rendering prefixes; one that the template rewrites later has no tokens',
  "the Jinja engine is not Python's: strip(characters), repr of lists and negative modulo differ",
  'control tokens that content spells become control tokens',
];

function parseTemplate(text: string): Template {
  try {
    return new Template(text);
  } catch (cause) {
    throw new VfError('misfit/tokenizer', 'The chat template of the model does not parse.', {
      cause,
      hint: 'Name a renderer family instead.',
    });
  }
}

function printed(template: Template, variables: Record<string, unknown>): string {
  try {
    return withPlainNumbers(template.render(variables));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new VfError(
      'misfit/not_renderable',
      `The model's own template does not print this conversation: ${reason}.`,
      { cause, hint: 'Change the prompt, or name a renderer family.' },
    );
  }
}

/** Where each message ends in the text: as far as the prompt up to it agrees with the whole. */
function endsOf(
  text: string,
  messages: readonly Message[],
  print: (messages: readonly Message[]) => string,
): number[] {
  const ends: number[] = [];
  let end = 0;
  for (let count = 1; count <= messages.length; count++) {
    end = Math.max(end, commonPrefix(text, printOrNothing(messages.slice(0, count), print)));
    ends.push(end);
  }
  return ends;
}

/** Some templates raise on a conversation that ends there, for instance without a user. */
function printOrNothing(
  messages: readonly Message[],
  print: (messages: readonly Message[]) => string,
): string {
  try {
    return print(messages);
  } catch {
    return '';
  }
}

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at++;
  return at;
}

function runsOf(text: string, ends: readonly number[]): Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (const [message, end] of [...ends, text.length].entries()) {
    const index = message === ends.length ? -1 : message;
    runs.push({
      text: text.slice(from, end),
      frame: true,
      message: index,
      part: 'scaffold',
      sampled: false,
    });
    from = Math.max(from, end);
  }
  return runs;
}

function withoutMasks(rendered: Rendered): Rendered {
  const none = new Uint8Array(0);
  return { ...rendered, sampledMask: none, isContent: none, parts: none };
}

function textUntil(
  ids: ArrayLike<number>,
  stops: ReadonlySet<number>,
  tokenizer: Tokenizer,
): string {
  let end = 0;
  while (end < ids.length && !stops.has(ids[end] as number)) end++;
  return Buffer.from(tokenizer.join(ids, 0, end)).toString('utf8');
}

function parseText(text: string): Parsed {
  const match = /^\s*<think>([\s\S]*?)(?:<\/think>\s*([\s\S]*))?$/.exec(text);
  if (match === null) return { content: text, reasoning: null, calls: [] };
  const reasoning = (match[1] ?? '').trim();
  return { content: match[2] ?? '', reasoning: reasoning === '' ? null : reasoning, calls: [] };
}
