import type { KeptAgent, KeptPane } from '../../core/close/kept-document.ts';
import type { Layout } from '../../core/layout/layout.ts';
import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { Hands } from '../act/hands.ts';

/**
 * How a session was last seen: its own last layout, or that of what it was reopened from. `of`: the session that was seen so.
 * `missing`: why what is there cannot be used.
 */
export function lastLayout({ layouts, ledger }: Pick<Hands, 'layouts' | 'ledger'>, facts: SessionFacts) {
  const all = ledger.facts().folded.facts;
  const missing: string[] = [];
  for (let of: SessionFacts | undefined = facts; of !== undefined; of = predecessor(all, of)) {
    const read = layouts.of(of.key);
    if (read.state === 'read') return { layout: read.layout, of, missing };
    if (read.state === 'refused') missing.push(`how it was laid out is not known: ${read.text}`);
    // A close has kept more.
    if (of !== facts && of.closed !== null) break;
  }
  return { layout: null, of: facts, missing };
}

function predecessor(
  all: ReadonlyMap<string, SessionFacts>,
  { key, origin }: SessionFacts,
): SessionFacts | undefined {
  if (origin?.how !== 'reopened') return undefined;
  return [...all.values()].find(({ reopened }) => reopened?.key === key);
}

/**
 * The pane that rollcall started the session with, if its process was still the one that it began with, or the sleeper of its
 * agent: that one sleeps, or was woken since.
 */
export function ownPaneIn({ document }: Layout, { origin, asleep }: SessionFacts): KeptPane | null {
  const own = origin?.pane;
  const woken = own && { paneId: own.paneId, pid: origin?.sleeper };
  for (const known of [asleep, own, woken]) {
    const pane = document.panes.find((one) => known && one.paneId === known.paneId && one.pid === known.pid);
    if (pane) return pane;
  }
  return null;
}

/** The agent that was seen in it. */
export function ownAgentIn(layout: Layout, facts: SessionFacts): KeptAgent | null {
  return ownPaneIn(layout, facts)?.agent ?? null;
}
