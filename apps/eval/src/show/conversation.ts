import type { ModelCall, Trace, TraceNode } from '@vf/core';
import { asName, oneLine } from '../screen/one-line.ts';
import type { Style } from '../screen/palette.ts';
import { callFigures, failedCallLine } from './call-text.ts';
import { messageLines } from './message-text.ts';
import type { TextOptions } from './message-text.ts';
import { rule, sectionTitle } from './rules.ts';
import type { Section } from './sections.ts';
import { turnNumbers } from './sections.ts';
import { turnTokens } from './token-text.ts';

/** A trace's sections turn by turn. `firstCall` and `firstBranch` count what earlier traces of the episode have. */
export function conversationLines(
  trace: Trace,
  sections: readonly Section[],
  counted: { readonly firstCall: number; readonly firstBranch: number },
  options: TextOptions,
): string[] {
  const writer = new ConversationWriter(trace, counted.firstCall, options);
  const total = trace.branches.length;
  return [
    ...sections.flatMap((section) => [
      ...(total === 1
        ? []
        : [
            '',
            rule(sectionTitle(section, counted.firstBranch, turnNumbers(trace)), options.paint),
          ]),
      ...section.nodes.flatMap((node) => writer.node(node)),
    ]),
    ...writer.leftCalls(),
  ];
}

const colours: Readonly<Record<string, Style>> = {
  system: 'magenta',
  user: 'blue',
  assistant: 'green',
  tool: 'yellow',
};

class ConversationWriter {
  readonly #trace: Trace;
  readonly #firstCall: number;
  readonly #options: TextOptions;
  readonly #turns: ReadonlyMap<number, number>;
  readonly #callOf: ReadonlyMap<number, number>;
  /** Calls up to here are shown. */
  #nextCall = 0;

  constructor(trace: Trace, firstCall: number, options: TextOptions) {
    this.#trace = trace;
    this.#firstCall = firstCall;
    this.#options = options;
    this.#turns = turnNumbers(trace);
    this.#callOf = new Map(
      trace.calls.flatMap(({ node }, index) => (node === null ? [] : [[node, index] as const])),
    );
  }

  node(index: number): string[] {
    const node = this.#trace.graph.nodes[index];
    if (node === undefined) return [];
    const call = this.#callOf.get(index);
    return [
      ...(call === undefined ? [] : this.#failedBefore(call)),
      '',
      this.#title(index, node, call),
      ...this.#toolsOf(node),
      ...messageLines(node.message, this.#options).map(indent),
      ...this.#rewritten(node),
    ];
  }

  /** Failed calls after the last reply. */
  leftCalls(): string[] {
    return this.#failedBefore(this.#trace.calls.length);
  }

  #failedBefore(call: number): string[] {
    const from = Math.min(this.#nextCall, call);
    this.#nextCall = Math.max(this.#nextCall, call + 1);
    return this.#trace.calls
      .slice(from, call)
      .flatMap((failed, i) => this.#failed(failed, from + i));
  }

  #failed(call: ModelCall, index: number): string[] {
    if (call.node !== null) return [];
    return ['', failedCallLine(call, this.#firstCall + index + 1, this.#options.paint)];
  }

  #title(index: number, node: TraceNode, call: number | undefined): string {
    const { paint } = this.#options;
    const { message } = node;
    const parts = [paint(colours[message.role] ?? 'bold', message.role)];
    if (message.role === 'tool') {
      parts.push(
        asName(message.name ?? this.#toolName(message.toolCallId, index) ?? message.toolCallId),
      );
      if (message.isError === true) parts.push(paint('red', 'error'));
    }
    const turn = this.#turns.get(index);
    if (turn !== undefined) parts.push(`turn ${turn}`);
    const made = call === undefined ? undefined : this.#trace.calls[call];
    if (made !== undefined && call !== undefined)
      parts.push(paint('dim', callFigures(made, this.#firstCall + call + 1)));
    const exact = made === undefined ? null : turnTokens(this.#trace, index);
    if (exact !== null) parts.push(paint('dim', exact));
    for (const { node: cause, type } of node.parent === null ? [] : (node.links ?? []))
      parts.push(paint('dim', `${type} of turn ${this.#turns.get(cause) ?? '?'}`));
    return parts.join('  ');
  }

  #toolName(id: string, node: number): string | undefined {
    for (const index of this.#trace.graph.pathTo(node).toReversed()) {
      const message = this.#trace.graph.nodes[index]?.message;
      const call =
        message?.role === 'assistant' ? message.toolCalls?.find((one) => one.id === id) : undefined;
      if (call !== undefined) return call.name;
    }
    return undefined;
  }

  #toolsOf({ parent, tools = [] }: TraceNode): string[] {
    if (parent !== null || tools.length === 0) return [];
    const names = tools.map(({ name }) => name).join(', ');
    const { isFull, paint } = this.#options;
    return [
      paint('dim', `  tools ${tools.length}: ${isFull ? asName(names) : oneLine(names, 120)}`),
    ];
  }

  /** What stood there before a hook of the taskset changed it. */
  #rewritten({ said, message }: TraceNode): string[] {
    if (said === undefined || said === message) return [];
    const { paint } = this.#options;
    return [
      paint('yellow', '  rewritten by the taskset; the agent has'),
      ...messageLines(said, this.#options).map((line) => indent(paint('dim', line))),
    ];
  }
}

function indent(line: string): string {
  return line === '' ? '' : `  ${line}`;
}
