import type { Guarded } from '../core/guard/guarded.ts';
import type { Roll, SessionEntry } from '../core/roll.ts';
import { identityOf, isGone } from '../core/roll.ts';
import { Failure } from './failure.ts';
import { pause } from './guard-interrupt.ts';
import { sessionsMeant } from './select-session.ts';
import { sessionNamed } from './session-failure.ts';
import { silentServers } from './silent-servers.ts';
import type { Surroundings } from './surroundings.ts';
import { requireTmux, takeRoll } from './take-roll.ts';

/** What the user named: a session by any of its handles, or one pane. */
export type GuardTarget =
  | { readonly kind: 'session'; readonly word: string }
  | { readonly kind: 'pane'; readonly paneId: string };

/** Who is guarded, resolved once. */
export interface Resolved {
  readonly guarded: Guarded;
  readonly entry: SessionEntry;
}

const RETRY_MS = 250;

/**
 * Resolves a word or a pane id exactly; from then on only identities count. While a server that may hold it gives no
 * answer, it is asked again until the time is up. Null when the signal came first.
 */
export async function resolveGuarded(
  surroundings: Surroundings,
  request: {
    readonly servers: readonly string[];
    readonly target: GuardTarget;
    readonly withinMs: number;
    readonly signal: AbortSignal;
    onDoubt(text: string): void;
  },
): Promise<Resolved | null> {
  const endsAt = performance.now() + request.withinMs;
  let isDoubted = false;
  for (;;) {
    const roll = await takeRoll(surroundings, request.servers);
    if (request.signal.aborted) return null;
    try {
      return resolveIn(roll, request.target);
    } catch (error) {
      const mayAnswer = error instanceof Failure && error.code === 'failed' && silentServers(roll).length > 0;
      if (!mayAnswer || performance.now() + RETRY_MS >= endsAt) throw error;
      if (!isDoubted) request.onDoubt([error.message, ...error.details].join(': '));
      isDoubted = true;
    }
    await pause(RETRY_MS, request.signal);
  }
}

function resolveIn(roll: Roll, target: GuardTarget): Resolved {
  requireTmux(roll);
  const entry = target.kind === 'pane' ? holderOf(roll, target.paneId) : sessionNamed(roll, target.word);
  const { name } = entry;
  if (isGone(entry)) {
    throw new Failure('not-found', `session '${name}' is gone`, {
      details: entry.reasons.slice(0, 1).map((reason) => reason.text),
      hint: 'rollcall log tells what was last known of it',
    });
  }
  const panes = entry.panes
    .filter(({ paneId }) => target.kind === 'session' || paneId === target.paneId)
    .map(({ paneId, pid }) => ({ paneId, pid }));
  if (panes.length === 0) {
    throw new Failure('failed', `cannot tell whether session '${name}' lives`, {
      details: entry.reasons.slice(0, 1).map((reason) => reason.text),
      hint: 'its tmux server does not answer; nothing was called dead',
    });
  }
  return {
    entry,
    guarded: { ...identityOf(entry), name, panes, isPaneOnly: target.kind === 'pane' },
  };
}

// A window may be linked into several sessions of one server; the pane is the same in all of them.
function holderOf(roll: Roll, paneId: string): SessionEntry {
  const [first, ...others] = sessionsMeant(roll.sessions, paneId);
  const isOne = first !== undefined && others.every((other) => other.server.pid === first.server.pid);
  return isOne ? first : sessionNamed(roll, paneId);
}
