/** The sum that a reply holds, "12 + 30", and its value; null when there is none. */
export function sumIn(
  reply: string | null,
): { readonly text: string; readonly value: number } | null {
  const [text, a, b] = /(\d+) \+ (\d+)/.exec(reply ?? '') ?? [];
  return text === undefined ? null : { text, value: Number(a) + Number(b) };
}
