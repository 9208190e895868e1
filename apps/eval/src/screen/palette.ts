import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta' | 'blue';
/** Dresses text for where it is going; plain where there are no colours. */
export type Palette = (style: Style, text: string) => string;

/** NO_COLOR, FORCE_COLOR and whether the stream is a terminal decide. */
export function paletteOf(stream: NodeJS.WriteStream): Palette {
  return (style, text) => styleText(style, text, { stream });
}

export const plain: Palette = (_style, text) => text;
