import type { Claims, SessionFacts } from '../../core/ledger/current-facts.ts';
import { CLAIMS } from '../../core/ledger/current-facts.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import { identityOf } from '../../core/sight/roll.ts';
import type { Acted, PaneTarget } from '../../ports/actuator.ts';
import type { Declared } from './declare.ts';
import { DECLARE_STEPS, declare, subjectOf } from './declare.ts';
import type { Hands } from './hands.ts';
import { outlastClose } from './outlast-close.ts';
import { targetOf } from './run-find.ts';
import { stampOf } from './run-wish.ts';
import type { Trouble } from './trouble.ts';

/** Every lasting step of an adoption, in order. */
export const ADOPT_STEPS = [...DECLARE_STEPS, 'stamp'] as const;

export interface Adopted {
  /** `claim`: it was in rollcall's care already, and only what it works on is new. */
  readonly as: 'adopt' | 'claim';
  readonly declared: Declared<Trouble>;
  /** What tmux said to the stamps that it did not make; the adoption holds without them. */
  readonly unstamped: readonly string[];
}

/** Takes a session into rollcall's care that rollcall did not start, or records what one works on that is in it. */
export async function adopt(hands: Hands, entry: SessionEntry, claims: Partial<Claims>): Promise<Adopted> {
  const run = crypto.randomUUID();
  const { server, ...identity } = identityOf(entry);
  const adopted = await declare<'managed'>(hands, {
    action: 'adopt',
    session: subjectOf(entry),
    decide: (facts) =>
      facts?.origin
        ? { refused: 'managed' }
        : { server: { ...server }, ...identity, run, claims: { ...claims }, paneIds: paneIdsOf(entry) },
  });
  if (adopted.state !== 'refused') {
    const declared = await outlastClose(hands, entry, adopted);
    return { as: 'adopt', ...(await stamped(hands, entry, declared, claims, run)) };
  }
  const claimed = await declare(hands, {
    action: 'claim',
    session: subjectOf(entry),
    decide: (facts) => (isNews(facts, claims) ? { claims: { ...claims } } : null),
  });
  const declared = await outlastClose(hands, entry, claimed);
  return { as: 'claim', ...(await stamped(hands, entry, declared, claims, null)) };
}

/** The panes that a session shows: what is declared of it goes with them. */
export function paneIdsOf({ panes }: SessionEntry): string[] {
  return panes.map(({ paneId }) => paneId);
}

function isNews(facts: SessionFacts | undefined, claims: Partial<Claims>): boolean {
  return CLAIMS.some((claim) => claims[claim] !== undefined && claims[claim] !== facts?.claims[claim]);
}

// The record comes first: a stamp without it would mean nothing.
async function stamped(
  hands: Hands,
  entry: SessionEntry,
  declared: Declared<Trouble>,
  claims: Partial<Claims>,
  run: string | null,
): Promise<Pick<Adopted, 'declared' | 'unstamped'>> {
  if (declared.state !== 'declared') return { declared, unstamped: [] };
  const known = { ...declared.before?.claims, ...claims };
  hands.onStep?.('stamp', 'before');
  const unstamped: string[] = [];
  for (const pane of entry.panes) {
    const target = targetOf(entry, pane);
    const act = await stampPane(hands, target, known, run);
    if (act.state !== 'done') unstamped.push(`${pane.paneId}: ${act.text}`);
  }
  hands.onStep?.('stamp', 'after');
  return { declared, unstamped };
}

// A pane that was started by rollcall keeps the word of that run.
async function stampPane(
  hands: Hands,
  target: PaneTarget,
  claims: Partial<Claims>,
  run: string | null,
): Promise<Acted> {
  if (run !== null) return hands.tmux.stamp(target, stampOf(claims, run));
  const earlier = await hands.tmux.runOf(target);
  if (earlier.state !== 'read') return earlier;
  if (earlier.run === null) return { state: 'done' };
  return hands.tmux.stamp(target, stampOf(claims, earlier.run));
}
