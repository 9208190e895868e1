/** Characters. Texts of any length would be in the record, the index and on the screen. */
const longest = 16_384;

/** The message of an error as records keep it. */
export function boundedMessage(message: string): string {
  if (message.length <= longest) return message;
  return `${message.slice(0, longest)} … (${message.length} characters)`;
}

/** The stack of an error as records keep it: it begins with the message, and its frames are the end. */
export function boundedStack(stack: string): string {
  if (stack.length <= 2 * longest) return stack;
  return `${stack.slice(0, longest)} … (${stack.length} characters) … ${stack.slice(-longest)}`;
}
