import { toWaitDocument } from '../contract/guard-document.ts';
import type { WaitDocument } from '../contract/guard-schemas.ts';
import type { Wish } from '../contract/operations.ts';
import type { Roll } from '../core/sight/roll.ts';
import { silentServers } from '../core/sight/silent-servers.ts';
import { spoken } from '../core/text/duration.ts';
import type { WaitState } from '../core/verdict/wait-state.ts';
import { type Awaited, beginWaiting, keepWaiting, waitOutcome, waitPauseMs } from '../engine/wait.ts';
import type { At } from './at.ts';
import { Failure } from './failure.ts';
import { requireServers, requireTmux } from './look-for.ts';
import { pause } from './pause.ts';
import { sessionNamed } from './session-named.ts';

/** What whoever waits hears on the way. */
export interface WaitHeard {
  /** Told once for each session that reached one of the states. */
  onReached(awaited: Awaited): void;
  /** Told when a session's state changed and is not yet what is waited for. */
  onProgress(awaited: Awaited): void;
  /** Told when a look failed, and why; once for the same reason. */
  onUnseen(text: string): void;
}

type AtWait = Pick<At, 'look' | 'socketOf' | 'now' | 'signal'>;

/** Longer than a look takes that ends at all. */
const LONGEST_LOOK_MS = 30_000;
/** A timer that is set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const NOBODY: WaitHeard = { onReached: () => {}, onProgress: () => {}, onUnseen: () => {} };

/**
 * Looks again and again until the sessions have reached one of the states. Names are resolved once, at the first look.
 * Throws the reason of the signal where that ends it.
 */
export async function waitFor(
  { sessions: words, servers = [], until: states, any: isAny = false, timeoutMs = Infinity }: Wish<'wait'>,
  at: AtWait,
  heard: WaitHeard = NOBODY,
): Promise<WaitDocument> {
  const until: ReadonlySet<WaitState> = new Set(states);
  if (words.length === 0) throw new Failure('usage', 'wait needs a session', { hint: 'name at least one' });
  if (until.size === 0) throw new Failure('usage', 'wait needs a state', { hint: 'say what to wait for' });
  const { signal = new AbortController().signal } = at;
  const startedAt = performance.now();
  const leftMs = () => timeoutMs - (performance.now() - startedAt);
  const first = await firstLook(at, servers);
  let seenAt = first.at;
  let sessions = beginAll(first, words, until);
  for (const one of sessions) tell(one, null, heard);
  // One listener for all looks: there may be thousands. A look that hangs keeps nobody.
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
    const hungMs = timeoutMs + LONGEST_LOOK_MS;
    if (hungMs <= LONGEST_TIMER_MS) timer = setTimeout(() => resolve(null), hungMs);
  });
  let unchanged = 0;
  let failed = '';
  try {
    for (;;) {
      signal.throwIfAborted();
      const outcome = waitOutcome(sessions, isAny);
      if (outcome === 'reached') return toWaitDocument(seenAt, sessions);
      if (outcome === 'gone') throw gone(sessions, at.now());
      if (leftMs() <= 0) throw timedOut(sessions, until, at.now());
      await pause(Math.max(0, Math.min(waitPauseMs(unchanged), leftMs())), signal);
      const looked = await lookAgain(at, ended);
      if (looked === null) continue;
      if (looked instanceof Error) {
        if (looked.message !== failed) heard.onUnseen(looked.message);
        failed = looked.message;
        unchanged += 1;
        continue;
      }
      failed = '';
      seenAt = looked.at;
      const silent = silentServers(looked);
      const next = sessions.map((one) => keepWaiting(one, looked, silent, until));
      const changes = next.filter((one, index) => tell(one, sessions[index] ?? null, heard));
      unchanged = changes.length > 0 ? 0 : unchanged + 1;
      sessions = next;
    }
  } finally {
    clearTimeout(timer);
  }
}

async function firstLook({ look, socketOf }: AtWait, words: readonly string[]): Promise<Roll> {
  const servers = words.map((word) => socketOf(word));
  const roll = await look({
    ...{ isWithClosed: true, mayBeShared: true },
    ...(servers.length > 0 && { servers }),
  });
  requireServers(roll, servers);
  requireTmux(roll);
  return roll;
}

function beginAll(roll: Roll, words: readonly string[], until: ReadonlySet<WaitState>): Awaited[] {
  const entries = words.map((word) => sessionNamed(roll, word));
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()].map((entry) =>
    beginWaiting(entry, until, roll.at),
  );
}

// A look that failed, or a machine where tmux cannot be asked any more, tells nothing about the sessions.
async function lookAgain({ look }: AtWait, ended: Promise<null>): Promise<Roll | Error | null> {
  try {
    const roll = await Promise.race([look({ isWithClosed: true, mayBeShared: true }), ended]);
    if (roll !== null) requireTmux(roll);
    return roll;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function tell(now: Awaited, before: Awaited | null, heard: WaitHeard): boolean {
  const isSame =
    before !== null &&
    before.activity === now.activity &&
    before.lifecycle === now.lifecycle &&
    before.reached === now.reached &&
    before.isGone === now.isGone;
  if (isSame) return false;
  if (now.reached === null) heard.onProgress(now);
  else heard.onReached(now);
  return true;
}

/** Where a session stands, in one line. */
export function standing(
  { name, activity, lifecycle, isGone, lastSeenAt, replacedBy }: Awaited,
  now: number,
): string {
  if (!isGone) return `${name}: ${activity}, ${lifecycle}`;
  const seen = `${name}: gone, last seen ${spoken(Math.max(0, now - lastSeenAt))} ago as ${activity}, ${lifecycle}`;
  return replacedBy === null
    ? seen
    : `${seen}; the session that has its name now (${replacedBy}) is another one`;
}

function gone(sessions: readonly Awaited[], now: number): Failure {
  const missing = sessions.filter((one) => one.isGone && one.reached === null).map((one) => `'${one.name}'`);
  const verb = missing.length === 1 ? 'session is' : 'sessions are';
  return new Failure('failed', `the awaited ${verb} gone: ${missing.join(', ')}`, {
    details: sessions.map((one) => standing(one, now)),
    hint: 'wait for exited as well where a session may end: --until …,exited',
  });
}

function timedOut(sessions: readonly Awaited[], until: ReadonlySet<WaitState>, now: number): Failure {
  return new Failure('timed-out', `timed out waiting for ${[...until].join(' or ')}`, {
    details: sessions.map((one) => standing(one, now)),
    hint: 'rollcall explain SESSION tells what keeps it',
  });
}
