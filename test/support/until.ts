/** Waits for a condition, never for luck: asks again every few milliseconds and fails with what it last saw. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  holds: (value: Awaited<T>) => boolean = (value) => Boolean(value),
  timeoutMs = 10_000,
  // Longer where asking starts a process: the machine has others to run.
  everyMs = 20,
): Promise<Awaited<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    if (performance.now() > deadline) {
      throw new Error(`gave up waiting until ${what}; last seen: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
