/**
 * For processes that run most of their code a few times: Node spends a tenth of their time on compiling it once more, for a speed
 * that comes too late. With this it does so for what is run more often than that. A Node that does not know a flag does not start.
 */
export function seldomAgain(v8: string): string {
  const isEarly = Number.parseInt(v8, 10) < 12;
  return isEarly ? '--interrupt-budget=1000000' : '--invocation-count-for-turbofan=30000';
}

export const SELDOM_AGAIN = seldomAgain(process.versions.v8);
