import type { Guarded } from '../../core/guard/guarded.ts';
import { isGuarded, judgeGuarded } from '../../core/guard/judge-guarded.ts';
import { type GuardNote, notesOf } from '../../core/guard/notes.ts';
import { fateWithout, type PaneFate } from '../../core/guard/pane-fate.ts';
import type { ServerSighting } from '../../core/sight/sighting.ts';
import type { GuardProbes } from '../../ports/guard.ts';
import { type Beat, openPulses } from './pulses.ts';
import { createLastScreens } from './screens.ts';
import type { GuardClock, GuardOutcome, GuardWatch } from './watch.ts';

/** The kernel is asked so often; it costs a system call for each process. */
const BEAT_MS = 50;
/** tmux is asked so often when nothing stirs; it costs a fork. */
const LIST_EVERY_MS = 1000;
const CAPTURE_EVERY_MS = 2000;
/** tmux and the kernel learn of a death one after the other: so long they may disagree about it. */
const SETTLE_MS = 300;
const SETTLE_BEAT_MS = 20;
const RETRY_MS = 100;
/** The first question to tmux, and one about a death in the last moment, get this much time even where the budget is over. */
const FIRST_LISTING_MS = 1000;
const LAST_LISTING_MS = 250;

/**
 * Watches until something died or ended, the budget is over, or somebody wants it to end. A death is a death only by
 * positive proof: tmux's complete listing, or the kernel's word on the server's own process.
 */
export async function guard(
  watch: GuardWatch,
  probes: GuardProbes,
  clock: GuardClock,
): Promise<GuardOutcome> {
  const pulses = openPulses(watch.guarded, probes);
  try {
    return await keepWatch(watch, probes, clock, () => pulses.beat());
  } finally {
    pulses.close();
  }
}

async function keepWatch(
  watch: GuardWatch,
  probes: GuardProbes,
  clock: GuardClock,
  beat: () => Beat,
): Promise<GuardOutcome> {
  const { guarded, signal } = watch;
  const startedAt = clock.elapsedMs();
  const endsAt = watch.budgetMs === null ? Infinity : startedAt + watch.budgetMs;
  const screens = createLastScreens(guarded, probes);
  const say = onceEach(watch.onNote);
  let name = guarded.name;
  let listAt = startedAt;
  let captureAt = startedAt;
  let retryMs = RETRY_MS;
  let unsettledSince: number | null = null;
  let doubt: string | null = null;
  let lastFates: readonly PaneFate[] | null = null;
  let hasAsked = false;

  const outcome = (fates: readonly PaneFate[]) => ({
    observedAt: clock.at(),
    watchedMs: clock.elapsedMs() - startedAt,
    name,
    panes: fates.map((fate) => ({ ...fate, screen: screens.of(fate.paneId) })),
  });
  const doubtful = (text: string, now: number): void => {
    if (doubt === null && !signal.aborted) watch.onDoubt(text);
    doubt = text;
    unsettledSince = null;
    listAt = now + retryMs;
    retryMs = Math.min(LIST_EVERY_MS, retryMs * 2);
  };
  /** Asks tmux and judges; gives the outcome once there is one. */
  const ask = async (isServerStopped: boolean): Promise<GuardOutcome | null> => {
    const sighting = isServerStopped
      ? stoppedServer(guarded, clock.at())
      : await listWithin(endsAt, hasAsked ? LAST_LISTING_MS : FIRST_LISTING_MS, watch, probes, clock);
    hasAsked = true;
    // The kernel's word is the later one: what dies in between is seen as such at the next listing.
    const { lives } = beat();
    const now = clock.elapsedMs();
    const isSettling = unsettledSince === null || now - unsettledSince < SETTLE_MS;
    const finding = judgeGuarded({ ...guarded, name }, sighting, lives, isSettling);
    if (finding.state === 'unknown') {
      doubtful(finding.text, now);
      return null;
    }
    const server = sighting.state === 'present' && sighting.pid === guarded.server.pid ? sighting : null;
    name = server?.sessions.find((one) => isGuarded(one, guarded))?.name ?? name;
    if (finding.state === 'died' || finding.state === 'ended') {
      if (server !== null) await screens.refresh(server, true);
      const { fates, ...rest } = finding;
      return { ...rest, ...outcome(fates) };
    }
    doubt = null;
    retryMs = RETRY_MS;
    listAt = now + LIST_EVERY_MS;
    lastFates = finding.fates;
    unsettledSince = finding.state === 'unsettled' ? (unsettledSince ?? now) : null;
    if (finding.state === 'unsettled' || server === null) return null;
    for (const note of notesOf(guarded, server, finding.fates)) say(note);
    if (now >= captureAt && !watch.isOnce) {
      await screens.refresh(server, false);
      captureAt = clock.elapsedMs() + CAPTURE_EVERY_MS;
    }
    return null;
  };

  for (;;) {
    if (signal.aborted) return { state: 'interrupted', ...outcome(lastFates ?? untold(guarded, beat())) };
    const { isStartled, isServerStopped } = beat();
    const isAwaited = isStartled || unsettledSince !== null;
    if (!isAwaited && hasAsked && clock.elapsedMs() >= endsAt) {
      if (lastFates !== null) return { state: 'healthy', ...outcome(lastFates) };
      return { state: 'unknown', why: doubt ?? 'tmux gave no answer', ...outcome(untold(guarded, beat())) };
    }
    if (isAwaited || clock.elapsedMs() >= listAt) {
      const ended = await ask(isServerStopped);
      if (ended !== null) return ended;
      const isProven = doubt === null && unsettledSince === null;
      if (watch.isOnce && isProven && lastFates !== null) return { state: 'healthy', ...outcome(lastFates) };
    }
    const beatMs = unsettledSince === null ? BEAT_MS : SETTLE_BEAT_MS;
    await clock.pause(Math.max(0, Math.min(beatMs, endsAt - clock.elapsedMs())), signal);
  }
}

function untold({ panes }: Guarded, { lives }: Beat): PaneFate[] {
  return panes.map((pane) =>
    fateWithout(pane, lives.panes.get(pane.paneId) ?? { state: 'unknown' }, 'unknown'),
  );
}

function onceEach(tell: (note: GuardNote) => void): (note: GuardNote) => void {
  const told = new Set<string>();
  return (note) => {
    if (told.has(note.text)) return;
    told.add(note.text);
    tell(note);
  };
}

/** Asks tmux, but not for longer than there is time. */
async function listWithin(
  endsAt: number,
  leastMs: number,
  { guarded, signal }: GuardWatch,
  probes: GuardProbes,
  clock: GuardClock,
): Promise<ServerSighting> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  signal.addEventListener('abort', abort);
  const leftMs = Math.max(leastMs, endsAt - clock.elapsedMs());
  if (leftMs !== Infinity) void clock.pause(leftMs, limit.signal).then(abort);
  const { socketPath } = guarded.server;
  try {
    const sighting = await probes.list(socketPath, limit.signal);
    if (sighting.state !== 'failed' || !limit.signal.aborted) return sighting;
    const text = 'tmux did not answer before the time was up';
    return { state: 'failed', socketPath, observedAt: clock.at(), failure: 'timeout', text };
  } finally {
    signal.removeEventListener('abort', abort);
    limit.abort();
  }
}

/** What is said instead of asking a stopped server: each call would stay in its queue until it runs again. */
function stoppedServer({ server: { socketPath, pid } }: Guarded, observedAt: number): ServerSighting {
  const text = `tmux server ${pid} is stopped (kill -CONT ${pid} wakes it)`;
  return { state: 'failed', socketPath, observedAt, failure: 'stopped', text };
}
