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
    // Whoever asks by starting a process leaves the machine to others for twice as long as that took.
    const pause = Math.max(everyMs, Math.min(2 * (performance.now() - asked), 1500));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
