/** Seconds since it was last asked. */
export function stopwatch(): () => number {
  let before = performance.now();
  return () => {
    const now = performance.now();
    const seconds = (now - before) / 1000;
    before = now;
    return seconds;
  };
}
