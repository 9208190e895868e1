/** Text on one line, cut at `width`; control sequences are shown, not obeyed. */
export function oneLine(text: string, width: number): string {
  const flat = visible(text).replaceAll(/\s+/g, ' ').trim();
  return flat.length <= width ? flat : `${flat.slice(0, width - 1)}…`;
}

/** Control characters other than newline and tab as visible escapes. */
export function visible(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (char) => {
      const code = char.charCodeAt(0);
      return code === 0x1b ? '␛' : code === 0x0d ? '␍' : `\\u${code.toString(16).padStart(4, '0')}`;
    },
  );
}
