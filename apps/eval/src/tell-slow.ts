const firstMs = 3_000;

/** Waits for work, and says that it is waited for when that takes longer than three seconds. */
export async function tellSlow<T>(work: Promise<T>, say: () => void): Promise<T> {
  const timer = setTimeout(say, firstMs).unref();
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
