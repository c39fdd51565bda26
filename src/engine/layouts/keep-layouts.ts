import { closingPanes } from '../../core/close/closing-pane.ts';
import type { Layout } from '../../core/layout/layout.ts';
import { nextLayout } from '../../core/layout/next-layout.ts';
import { isLayoutDue, isSeenWhole, layoutPrint, takeLayout } from '../../core/layout/take-layout.ts';
import type { Folded, SessionFacts } from '../../core/ledger/current-facts.ts';
import { isExpected } from '../../core/memory/lost.ts';
import { missingIn, missingNotes } from '../../core/restore/offer.ts';
import { identityOf, isGone, type Roll, type SessionEntry } from '../../core/sight/roll.ts';
import { visible } from '../../core/text/visible.ts';
import type { TmuxActuator } from '../../ports/actuator.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Layouts } from '../../ports/records.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { startedIn } from '../act/close/archive-session.ts';
import type { Hands } from '../act/hands.ts';

/** What layouts are taken with. */
export interface LayoutParts {
  readonly tmux: Pick<TmuxActuator, 'layout'>;
  readonly processes: Pick<ProcessSensor, 'details' | 'environment'>;
  readonly layouts: Layouts;
  readonly ledger: Pick<Ledger, 'facts'>;
  now(): number;
}

/** Keeps how the sessions of a roll are laid out; tells what could not be kept, and never throws for that. */
export type KeepLayouts = (roll: Pick<Roll, 'sessions'>) => Promise<string | null>;

type Known = Pick<Layout, 'print' | 'at' | 'lackingSince'>;

/**
 * One that remembers what it has written, for as long as it lives. Only sessions that changed are asked for more, so that a
 * round with nothing new in it costs no call of tmux.
 */
export function createLayoutKeeper(parts: LayoutParts): KeepLayouts {
  const known = new Map<string, Known>();
  return async ({ sessions }) => {
    const { folded, damage } = parts.ledger.facts();
    const own = sessions.filter((entry) => !isGone(entry) && isExpected(folded.facts.get(entry.key)));
    let problem: string | null = null;
    for (const entry of own.filter(isSeenWhole)) {
      try {
        await keep(parts, known, entry);
      } catch (error) {
        problem = visible(`how '${entry.name}' is laid out was not kept: ${(error as Error).message}`, 600);
      }
    }
    if (damage === null) dropLayouts(parts, folded);
    for (const key of known.keys()) if (!folded.facts.has(key)) known.delete(key);
    return problem;
  };
}

async function keep(parts: LayoutParts, known: Map<string, Known>, entry: SessionEntry): Promise<void> {
  const { key } = entry;
  const print = layoutPrint(entry);
  const at = parts.now();
  const last = known.get(key);
  if (last !== undefined && !isLayoutDue(last, print, at)) return;
  const reading = parts.layouts.of(key);
  const before = reading.state === 'read' ? reading.layout : null;
  if (last === undefined && before !== null && !isLayoutDue(before, print, at)) {
    known.set(key, before);
    return;
  }
  const seen = await take(parts, entry, print, at);
  const next = seen && nextLayout(before, seen);
  if (next === null) return;
  parts.layouts.keep(next);
  known.set(key, next);
}

async function take(
  { tmux, processes }: LayoutParts,
  entry: SessionEntry,
  print: string,
  at: number,
): Promise<Layout | null> {
  const windows = await tmux.layout(identityOf(entry));
  if (windows === null) return null;
  const panes = closingPanes(entry, at);
  return takeLayout({ at, entry, panes, windows, ...startedIn(processes, panes) }, print);
}

/** One whose session the ledger does not know (yet) is kept for a day. */
const ORPHAN_MS = 86_400_000;
/** More sessions nobody has under care at once; the oldest go first. */
const MOST = 1000;

/**
 * Lets go of layouts that nobody needs any more: of sessions with a receipt, and of those that were made again and seen since.
 * One whose session is still lost stays, however old the clock makes it.
 */
export function dropLayouts(
  { layouts, now }: { readonly layouts: Layouts; now(): number },
  folded: Folded,
): void {
  const all = layouts.all();
  const kept = new Set(all.map(({ key }) => key));
  const drop = (key: string) => {
    kept.delete(key);
    layouts.drop(key);
  };
  for (const { key, keptAt } of all) {
    const facts = folded.facts.get(key);
    const ageMs = now() - keptAt;
    // A ledger that has lost entries does not tell of all its sessions.
    if (facts === undefined ? ageMs > ORPHAN_MS && folded.loss === null : isOver(facts, folded, kept))
      drop(key);
  }
  const left = all.filter(({ key }) => kept.has(key)).sort((one, other) => other.keptAt - one.keptAt);
  for (const { key } of left.slice(MOST)) drop(key);
}

// One that was made again is needed until a successor was seen: that may be lost before.
function isOver({ closed, reopened }: SessionFacts, { facts }: Folded, kept: ReadonlySet<string>): boolean {
  if (closed !== null) return true;
  let next = reopened && facts.get(reopened.key);
  while (next?.reopened && !kept.has(next.key)) next = facts.get(next.reopened.key);
  return reopened !== null && (next == null || next.closed !== null || kept.has(next.key));
}

/**
 * Does some work, and keeps afterwards how the sessions are laid out that it looked at last: nothing may stand between a look
 * and an act. Also which sessions their server answered without. What cannot be kept is no failure of the work. After work that failed nothing is written: its disk may be full.
 */
export async function keepingLayouts<T>(hands: Hands, work: (hands: Hands) => Promise<T>): Promise<T> {
  const seen = new Map<string, Roll['sessions'][number]>();
  const missing = new Map<string, SessionEntry>();
  const look: Hands['look'] = async (options) => {
    const roll = await hands.look(options);
    for (const entry of roll.sessions) seen.set(entry.key, entry);
    for (const entry of missingIn(roll.sessions)) missing.set(entry.key, entry);
    return roll;
  };
  const done = await work({ ...hands, look });
  await createLayoutKeeper(hands)({ sessions: [...seen.values()] }).catch(() => {});
  rememberMissing(hands, missing.values());
  return done;
}

function rememberMissing({ ledger }: Pick<Hands, 'ledger'>, missing: Iterable<SessionEntry>): void {
  try {
    const { folded, damage } = ledger.facts();
    if (damage === null) for (const note of missingNotes(missing, folded.facts)) ledger.append(note);
  } catch {
    // The next command, or the daemon, sees it again.
  }
}
