import { stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

type PieceKind = 'output_text' | 'refusal' | 'summary_text' | 'reasoning_text';

/** One stretch of text of an item that is being streamed. */
interface Piece {
  readonly kind: PieceKind;
  readonly at: number;
  text: string;
}

/** An output item in the making. */
export interface Slot {
  readonly order: number;
  readonly call: number | null;
  item: JsonObject;
  isDone: boolean;
  readonly pieces: Piece[];
  /** Arguments of a function, input of a custom tool. */
  input: string;
  /** What was reported of it as deltas. */
  readonly reported: {
    text: string;
    reasoning: string;
    input: string;
    call: boolean;
    lastPiece: Piece | null;
  };
}

export function newSlot(order: number, call: number | null, item: JsonObject): Slot {
  const reported = { text: '', reasoning: '', input: '', call: false, lastPiece: null };
  return { order, call, item, isDone: false, pieces: [], input: '', reported };
}

/** The piece that a delta belongs to, made when it is the first. */
export function pieceOf(slot: Slot, kind: PieceKind, at: number): Piece {
  const known = slot.pieces.find((piece) => piece.kind === kind && piece.at === at);
  if (known !== undefined) return known;
  const piece: Piece = { kind, at, text: '' };
  slot.pieces.push(piece);
  return piece;
}

/** The item as its `done` event gave it, else put together from its deltas. */
export function itemOf(slot: Slot): JsonObject {
  const { item, input } = slot;
  if (slot.isDone) return item;
  if (item['type'] === 'function_call')
    return { ...item, arguments: input || (stringOf(item['arguments']) ?? '') };
  if (item['type'] === 'custom_tool_call')
    return { ...item, input: input || (stringOf(item['input']) ?? '') };
  if (slot.pieces.length === 0) return item;
  const summary = partsOf(slot, (kind) => kind === 'summary_text');
  const content = partsOf(slot, (kind) => kind !== 'summary_text');
  if (item['type'] !== 'reasoning') return { ...item, content };
  return { ...item, summary, ...(content.length === 0 ? {} : { content }) };
}

function partsOf(slot: Slot, isWanted: (kind: PieceKind) => boolean): readonly JsonObject[] {
  return slot.pieces
    .filter((piece) => isWanted(piece.kind))
    .toSorted((a, b) => a.at - b.at)
    .map(({ kind, text }) =>
      kind === 'refusal' ? { type: kind, refusal: text } : { type: kind, text },
    );
}
