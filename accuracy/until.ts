export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Asks again and again until the answer is neither null nor false; null when the time is over. */
export async function until<T>(
  ask: () => T | null | false | Promise<T | null | false>,
  timeoutMs: number,
  everyMs = 100,
): Promise<T | null> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (Date.now() > deadline) return null;
    await wait(everyMs);
  }
}

/** A state could not be brought about; the report says so, and the run goes on. */
export class NotReached extends Error {}
