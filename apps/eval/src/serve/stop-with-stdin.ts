/** Stops this process, as SIGTERM does, when whoever holds the other end of its stdin is gone. */
export function stopWithStdin(): void {
  const { stdin } = process;
  const stop = (): void => void process.kill(process.pid, 'SIGTERM');
  stdin.once('end', stop).once('error', stop).resume();
  // A server that stops by itself does not wait for it.
  if ('unref' in stdin) stdin.unref();
}
