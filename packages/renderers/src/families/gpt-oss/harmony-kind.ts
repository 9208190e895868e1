/** What a harmony message is. */
export type HarmonyKind =
  | { readonly kind: 'call'; readonly name: string }
  | { readonly kind: 'analysis' | 'final' | 'other' };

/** @param header what stands before `<|message|>`, control tokens by name */
export function kindOf(header: string): HarmonyKind {
  const name = /to=functions\.([^\s<]*)/.exec(header)?.[1];
  if (name !== undefined) return { kind: 'call', name };
  if (/<\|channel\|>\s*analysis/.test(header)) return { kind: 'analysis' };
  return { kind: /<\|channel\|>\s*final/.test(header) ? 'final' : 'other' };
}
