import { CLAIMS, type SessionFacts } from '../ledger/current-facts.ts';
import type { SessionEntry } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import { acceptedCompletion, declaredOf } from '../verdict/declared.ts';
import { keptUntil } from '../verdict/retention.ts';
import type { Activity, Check } from '../verdict/verdict.ts';

/** What a close was decided on. Anything that is not so any more stops it. */
export interface Footing {
  readonly panes: readonly { readonly paneId: string; readonly pid: number }[];
  /** Codes of checks and protections that were set aside. */
  readonly waived: ReadonlySet<string>;
  /** Shells may be removed that are not proven to be at rest. */
  readonly isForced?: boolean;
  /** It goes only while a completion stands. */
  readonly isByCompletion?: boolean;
  /** No person asked for it: whatever is declared since stops it. */
  readonly isAutomatic?: boolean;
  /** What was declared of it before the look that decided. */
  readonly declared?: SessionFacts | undefined;
}

/**
 * How it was looked at: `thorough` with every screen; `brief` right before an act, with the agents' own word and whoever is
 * there; `typed` the same while a command of ours stands in its input line, which nobody can tell from a draft.
 */
export type Closeness = 'thorough' | 'brief' | 'typed';

const AT_REST: ReadonlySet<Activity> = new Set(['idle', 'asleep', 'exited', 'none']);
/** A list of commands that opens over a typed one makes some screens hard to read. */
const AT_REST_TYPED: ReadonlySet<Activity> = new Set([...AT_REST, 'unknown']);

/**
 * Why a close must not go on, or null. Asked before every rung, with a look that was taken for it: a new turn, a paste, a
 * person, a pane that was added or replaced since the last rung all stop it.
 */
export function objectionTo(
  entry: SessionEntry,
  footing: Footing,
  closeness: Closeness = 'thorough',
): string | null {
  const { waived } = footing;
  if (entry.panes.length === 0) return 'its tmux server does not answer';
  const stranger = entry.panes.find(
    (pane) => !footing.panes.some(({ paneId, pid }) => paneId === pane.paneId && pid === pane.pid),
  );
  if (stranger !== undefined) return strangerIn(stranger.paneId, footing);
  const protection = entry.protections.find(({ code }) => code !== 'not-managed' && !waived.has(code));
  if (protection !== undefined) return protection.text;
  const atRest = closeness === 'typed' ? AT_REST_TYPED : AT_REST;
  if (!atRest.has(entry.activity) && !waived.has('at-rest')) {
    const why = entry.reasons.find(({ code }) => code !== 'close-under-way');
    return `it is ${entry.activity}: ${why?.text ?? 'nothing says more'}`;
  }
  const broken = entry.checks.find(
    (check) => isBroken(check, entry, footing, closeness) && !waived.has(check.code),
  );
  return broken?.text ?? null;
}

/**
 * Whether a pane was disturbed since the look that decided: then it is quiet for less than it was and the time between the two
 * looks (`betweenMs`, on the awake clock).
 */
export function isDisturbedSince(entry: SessionEntry, decided: SessionEntry, betweenMs: number): boolean {
  const before = quietIn(decided);
  return [...quietIn(entry)].some(([paneId, quietMs]) => {
    const known = before.get(paneId);
    return known !== undefined && quietMs < known + betweenMs - ROUNDED_MS;
  });
}

/** Times are whole milliseconds. */
const ROUNDED_MS = 2;

function quietIn({ evidence }: SessionEntry): ReadonlyMap<string, number> {
  return new Map(
    evidence.flatMap((one) => (one.kind === 'history' ? [[one.paneId, one.quietMs] as const] : [])),
  );
}

function strangerIn(paneId: string, { panes }: Footing): string {
  return panes.some((pane) => pane.paneId === paneId)
    ? `something started another program in pane ${paneId}`
    : `pane ${paneId} was added`;
}

// Rest and what was saved were judged when it was decided; the exit itself disturbs them. That nothing moved between the
// decision and the first act is asked for apart.
function isBroken(
  { code, state }: Check,
  { agent }: SessionEntry,
  { isForced = false }: Footing,
  closeness: Closeness,
): boolean {
  switch (code) {
    case 'seen-now':
    case 'nobody-there':
    case 'windows-own':
      return state !== 'met';
    // Once the agent is gone, what the shell behind it does is in nobody's word: only its proven prompt is rest.
    case 'nothing-unsent':
      if (closeness === 'typed') return false;
      if (state === 'unmet') return true;
      if (state === 'met' || closeness === 'brief') return false;
      return !(isForced && (agent === null || agent.pid === null));
    default:
      return false;
  }
}

/** Why it must not be closed by what is declared at this moment; null where nothing stands against it. */
export function keptBy(
  facts: SessionFacts | undefined,
  { waived, isByCompletion = false, isAutomatic = false, declared }: Omit<Footing, 'panes'>,
  now: Moment,
): string | null {
  if (facts === undefined) return isByCompletion ? TAKEN_BACK : null;
  if (facts.closed) return `it was closed already, receipt ${facts.closed.receipt}`;
  if (isByCompletion && acceptedCompletion(declaredOf(facts)) === null) return TAKEN_BACK;
  const { held } = facts;
  if (held && !waived.has('held')) return `it is held${held.reason === null ? '' : `: ${held.reason}`}`;
  if (isRetained(facts, now) && !waived.has('retained')) return 'it is kept on purpose';
  if (isAskedSince(facts, declared)) return 'work was asked of it since this close was decided (gate start)';
  const news = isAutomatic ? newsSince(facts, declared) : null;
  return news === null ? null : `${news} was declared since this close was decided`;
}

const TAKEN_BACK = 'its completion was taken back';

export function isRetained(facts: SessionFacts | undefined, now: Moment): boolean {
  return facts?.retained != null && keptUntil(facts.retained, now) > now.at;
}

// Work that was asked of it after the close was decided: whoever decided, also a person, did not know of it.
function isAskedSince({ gates = [] }: SessionFacts, before: SessionFacts | undefined): boolean {
  return gates.some(({ id }) => !before?.gates?.some((known) => known.id === id));
}

/** All that a verdict takes from the ledger and that has a moment; how its program ended is no word of anybody. */
const SPOKEN = {
  origin: 'that rollcall cares for it',
  held: 'a hold of it',
  retained: 'how long it is kept',
  completion: 'another completion',
} as const;

// No person asked for an automatic close: anything that was declared after the decision stops it.
function newsSince(facts: SessionFacts, before: SessionFacts | undefined): string | null {
  const names = Object.keys(SPOKEN) as (keyof typeof SPOKEN)[];
  const changed = names.find((name) => facts[name]?.sequence !== before?.[name]?.sequence);
  if (changed !== undefined) return SPOKEN[changed];
  const claim = CLAIMS.find((name) => facts.claims[name] !== (before?.claims[name] ?? null));
  return claim === undefined ? null : `its ${claim}`;
}
