/** Nobody is given up on sooner: on a machine with ten others at work everything takes that much longer. */
const LEAST_MS = 60_000;

/** Waits for a condition, never for luck: asks again every few milliseconds and fails with what it last saw. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  holds: (value: Awaited<T>) => boolean = (value) => Boolean(value),
  timeoutMs = LEAST_MS,
  everyMs = 20,
): Promise<Awaited<T>> {
  const deadline = performance.now() + Math.max(timeoutMs, LEAST_MS);
  for (;;) {
    const asked = performance.now();
    const value = await ask();
    if (holds(value)) return value;
    if (performance.now() > deadline) {
      throw new Error(`gave up waiting until ${what}; last seen: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(everyMs, pauseAfter(performance.now() - asked))),
    );
  }
}

/**
 * Whoever asks leaves the machine to others for longer than that took: many wait at the same time, and what they wait for needs
 * a core as well. A look is worth a pause of eight times its length; one that starts a process takes long enough by itself.
 */
function pauseAfter(tookMs: number): number {
  return Math.max(Math.min(8 * tookMs, 200), Math.min(2 * tookMs, 1500));
}
