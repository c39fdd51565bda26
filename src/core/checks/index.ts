import { atRest } from './at-rest.ts';
import type { CheckRule } from './check.ts';
import { confirmed } from './confirmed.ts';
import { finished } from './finished.ts';
import { nobodyThere } from './nobody-there.ts';
import { nothingOutside } from './nothing-outside.ts';
import { nothingRunning } from './nothing-running.ts';
import { nothingUnsent } from './nothing-unsent.ts';
import { rested } from './rested.ts';
import { seenNow } from './seen-now.ts';
import { windowsOwn } from './windows-own.ts';
import { workSaved } from './work-saved.ts';

/** The closing checklist, in the order a careful person goes through it. All must be met. */
export const CHECKS: readonly CheckRule[] = [
  seenNow,
  atRest,
  rested,
  confirmed,
  nothingRunning,
  nothingOutside,
  nothingUnsent,
  nobodyThere,
  windowsOwn,
  finished,
  workSaved,
];
