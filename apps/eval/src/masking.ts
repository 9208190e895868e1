let current = (text: string): string => text;

/** From now on `mask` hides the secrets that this command has seen. */
export function setMask(masked: (text: string) => string): void {
  current = masked;
}

/** Text as it may leave the process. */
export function mask(text: string): string {
  return current(text);
}
