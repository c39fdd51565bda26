import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 that this process works for a quarter of a second now and then, for weeks. Left to itself it does what pays off for a program that
 * is always busy: of the time of a daemon beside 500 agents at rest a third went into compiling, and a quarter into collecting.
 */
export function beSeldomBusy(
  v8 = process.versions.v8,
  setFlag: (flag: string) => void = setFlagsFromString,
): void {
  // Nor does it collect by itself after each round then, twice, because nothing happens. Giving back is done where it pays.
  setFlag('--no-incremental-marking');
  // Thirty times as much as usual before the dearest compiler is asked. Node 20 counts otherwise than later ones.
  const isEarly = Number.parseInt(v8, 10) < 12;
  setFlag(isEarly ? '--interrupt-budget=2000000' : '--invocation-count-for-turbofan=90000');
}
