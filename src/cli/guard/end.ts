import { endWords, type ProgramEnd } from '../../core/memory/ended.ts';
import { isGone, type SessionEntry } from '../../core/sight/roll.ts';
import type { GuardOutcome } from '../../engine/guard/watch.ts';
import { pause } from '../../operations/pause.ts';
import type { Surroundings } from '../frame/surroundings.ts';

export type Outcome = Exclude<GuardOutcome, { state: 'interrupted' }>;
type Died = Extract<Outcome, { state: 'died' }>;

const END_WAITS_MS = 2000;
const END_EVERY_MS = 50;

/** A program that rollcall started may go with its session before anybody sees how it ended: tmux has written it down. */
export async function knownEnd({ look }: Surroundings, outcome: Outcome, key: string): Promise<Outcome> {
  if (outcome.state !== 'died') return outcome;
  const endsAt = performance.now() + END_WAITS_MS;
  for (;;) {
    const entry = (await look({ isWithClosed: true })).sessions.find((one) => one.key === key);
    if (entry?.ended !== undefined) return withEnd(outcome, entry, entry.ended);
    const mayTell = entry !== undefined && !isGone(entry) && entry.panes.every(({ isDead }) => isDead);
    if (!mayTell || performance.now() >= endsAt) return outcome;
    await pause(END_EVERY_MS, new AbortController().signal);
  }
}

function withEnd(outcome: Died, { lifecycle }: SessionEntry, end: ProgramEnd): Outcome {
  const why = endWords(end);
  if (lifecycle !== 'closed' && end.exitStatus !== 0) return { ...outcome, why };
  const { cause: _, ...rest } = outcome;
  return { ...rest, state: 'ended', why };
}
