import type { ToolSpec } from '@vf/core';
import type { ParsedCall } from '../parsed.ts';
import type { Block } from './blocks.ts';
import { readTagText } from './function-xml.ts';
import type { TagStyle } from './function-xml.ts';
import { textOfPieces } from './pieces.ts';

const style: TagStyle = {
  function: /\s*<invoke name="([^"\n]*)">\n?/y,
  functionEnd: '</invoke>',
  parameter: /\s*<parameter name="([^"\n]*)">/y,
  parameterEnd: '</parameter>',
};

/** The calls of a block with one `<invoke>` per call. They share the block's span. */
export function readInvokes(tools: readonly ToolSpec[]): (block: Block) => ParsedCall[] {
  return ({ pieces, span, closed }) => {
    const raw = textOfPieces(pieces);
    const texts = raw.split(/(?<=<\/invoke>)(?=\s*<invoke name=")/);
    return texts.map((text) => readTagText(text, span, closed, style, tools));
  };
}
