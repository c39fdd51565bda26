import { spoken } from '../../text/duration.ts';
import { wallOffset } from '../../text/moment.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import type { DoctorCheck } from './check.ts';

/** Slewing and rounding stay below this; a step does not. */
const STEP_MS = 2000;
/** Clocks of one machine never differ so much by themselves. */
const AHEAD_MS = 60_000;
/** Before the first release, and long after anybody will read this. */
const SANE_FROM = Date.UTC(2025, 0, 1);
const SANE_TO = Date.UTC(2100, 0, 1);

/** Whether the wall clock can be believed. Durations never depend on it; what people wrote with a time does. */
export const clock: DoctorCheck = {
  name: 'clock',
  group: 'machine',
  scope: 'machine',
  looksAt: 'the wall clock: its year, steps, and time slept through',
  examine: (facts) => [...year(facts), ...backwards(facts), ...steps(facts), ...sleep(facts)],
};

function year({ now: { at } }: DoctorFacts): FindingParts[] {
  if (at >= SANE_FROM && at < SANE_TO) return [];
  const text = `the clock says ${new Date(at).toISOString().slice(0, 10)}`;
  return [finding('wrong-year', 'error', text, 'set it: retentions and ages by the wall clock are wrong')];
}

function backwards({ now: { at }, machine: { ledger } }: DoctorFacts): FindingParts[] {
  const lastAt = ledger.state === 'checked' ? (ledger.lastAt ?? 0) : 0;
  if (lastAt - at < AHEAD_MS) return [];
  const text = `the last entry of the ledger was recorded ${spoken(lastAt - at)} from now`;
  return [finding('went-back', 'warning', text, 'see whether the clock is right: timedatectl')];
}

function steps({ now, recollection }: DoctorFacts): FindingParts[] {
  if (recollection === null) return [];
  const stepMs = wallOffset(now) - wallOffset(recollection);
  const sumMs = recollection.steppedMs + (Math.abs(stepMs) > STEP_MS ? Math.abs(stepMs) : 0);
  if (sumMs <= STEP_MS) return [];
  const text = `the clock was stepped by ${spoken(sumMs)} in all since the machine started`;
  return [finding('stepped', 'info', text, 'rest is measured on another clock, and cut by that much')];
}

function sleep({ now: { suspendedMs } }: DoctorFacts): FindingParts[] {
  if (suspendedMs <= STEP_MS) return [];
  const text = `the machine has slept through ${spoken(suspendedMs)} since it started`;
  return [finding('suspended', 'ok', text, 'time slept through is no rest')];
}

function finding(
  kind: string,
  severity: FindingParts['severity'],
  text: string,
  advice: string,
): FindingParts {
  return { class: kind, severity, text, advice: [advice] };
}
