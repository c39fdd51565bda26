import type { Roll } from '../../core/sight/roll.ts';
import { silentServers } from '../../core/sight/silent-servers.ts';
import { spoken } from '../../core/text/duration.ts';
import { visible } from '../../core/text/visible.ts';
import type { Awaited, WaitState } from '../../engine/wait.ts';
import { beginWaiting, keepWaiting, waitOutcome, waitPauseMs } from '../../engine/wait.ts';
import { Failure } from '../../operations/failure.ts';
import { requireTmux } from '../../operations/look-for.ts';
import { sessionNamed } from '../../operations/session-named.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { onInterrupt, pause } from '../guard/interrupt.ts';

export interface WaitRequest {
  readonly words: readonly string[];
  readonly servers: readonly string[];
  look(servers: readonly string[]): Promise<Roll>;
  readonly until: ReadonlySet<WaitState>;
  readonly isAny: boolean;
  /** Null: for ever. */
  readonly timeoutMs: number | null;
  /** Told once for each session that reached one of the states. */
  onReached(awaited: Awaited): void;
  /** Told when a session's state changed and is not yet what is waited for. */
  onProgress(awaited: Awaited): void;
}

export type Waited =
  | { readonly state: 'reached'; readonly at: number; readonly sessions: readonly Awaited[] }
  | { readonly state: 'interrupted'; readonly exitCode: number };

/** Looks again and again until the sessions have reached one of the states. Names are resolved once, at the first look. */
export async function waitFor(surroundings: Surroundings, request: WaitRequest): Promise<Waited> {
  const interrupt = onInterrupt(surroundings);
  try {
    return await keepLooking(surroundings, request, interrupt);
  } finally {
    interrupt.release();
  }
}

async function keepLooking(
  surroundings: Surroundings,
  request: WaitRequest,
  { signal, exitCode }: Pick<ReturnType<typeof onInterrupt>, 'signal' | 'exitCode'>,
): Promise<Waited> {
  const { until, isAny, timeoutMs } = request;
  const startedAt = performance.now();
  const leftMs = () => (timeoutMs ?? Infinity) - (performance.now() - startedAt);
  const first = await request.look(request.servers);
  let at = first.at;
  let sessions = beginAll(first, request);
  for (const one of sessions) tell(one, null, request);
  // One listener for all looks: there may be thousands.
  const interrupted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  let unchanged = 0;
  let failed = '';
  for (;;) {
    if (signal.aborted) return { state: 'interrupted', exitCode: exitCode() };
    const outcome = waitOutcome(sessions, isAny);
    if (outcome === 'reached') return { state: 'reached', at, sessions };
    if (outcome === 'gone') throw gone(sessions, surroundings.now());
    if (leftMs() <= 0) throw timedOut(sessions, request, surroundings.now());
    await pause(Math.max(0, Math.min(waitPauseMs(unchanged), leftMs())), signal);
    const looked = await lookAgain(request, interrupted);
    if (looked === null) continue;
    if (looked instanceof Error) {
      if (looked.message !== failed)
        surroundings.stderr.write(`! could not look: ${visible(looked.message)}\n`);
      failed = looked.message;
      unchanged += 1;
      continue;
    }
    failed = '';
    at = looked.at;
    const silent = silentServers(looked);
    const next = sessions.map((one) => keepWaiting(one, looked, silent, until));
    const changes = next.filter((one, index) => tell(one, sessions[index] ?? null, request));
    unchanged = changes.length > 0 ? 0 : unchanged + 1;
    sessions = next;
  }
}

function beginAll(roll: Roll, { words, until }: WaitRequest): Awaited[] {
  requireTmux(roll);
  const entries = words.map((word) => sessionNamed(roll, word));
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()].map((entry) =>
    beginWaiting(entry, until, roll.at),
  );
}

// A look that failed, or a machine where tmux cannot be asked any more, tells nothing about the sessions.
async function lookAgain({ look }: WaitRequest, interrupted: Promise<null>): Promise<Roll | Error | null> {
  try {
    const roll = await Promise.race([look([]), interrupted]);
    if (roll !== null) requireTmux(roll);
    return roll;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function tell(now: Awaited, before: Awaited | null, request: WaitRequest): boolean {
  const isSame =
    before !== null &&
    before.activity === now.activity &&
    before.lifecycle === now.lifecycle &&
    before.reached === now.reached &&
    before.isGone === now.isGone;
  if (isSame) return false;
  if (now.reached === null) request.onProgress(now);
  else request.onReached(now);
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

function timedOut(sessions: readonly Awaited[], { until }: WaitRequest, now: number): Failure {
  return new Failure('timed-out', `timed out waiting for ${[...until].join(' or ')}`, {
    details: sessions.map((one) => standing(one, now)),
    hint: 'rollcall explain SESSION tells what keeps it',
  });
}
