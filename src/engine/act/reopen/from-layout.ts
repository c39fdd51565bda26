import type { StartedBody } from '../../../core/close/bodies.ts';
import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import { asLastSeen } from '../../../core/close/kept-document.ts';
import { repositoriesIn } from '../../../core/close/lost-folder.ts';
import { ONLY_FIRST, reopeningOfStart } from '../../../core/close/reopen-start.ts';
import { type Reopening, reopeningOf, withKnownAgent } from '../../../core/close/reopening.ts';
import { hasLeft, withAgent, withoutLeft } from '../../../core/layout/with-agent.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import type { EndRecord } from '../../../core/memory/ended.ts';
import { lastLayout, ownPaneIn } from '../../layouts/last-layout.ts';
import type { Hands } from '../hands.ts';
import { carriedOver } from '../sleep/carried-over.ts';
import { meansBy, sendsAgain } from './by-agents.ts';

/**
 * A session that went without a close, as it was last seen. By the rules of an archive: an agent goes on in its conversation, and
 * a pane's command runs again only where it plainly is one program; but since that may have ended before the session went, only
 * what shows or edits something, and what rollcall itself started, unless that is known to have left with 0. `start` has
 * the conversation that was last seen. `kept` is null where nobody saw it; `missing`: why what is there cannot be used.
 */
export function fromLayout(
  hands: Hands,
  { facts, receipt }: ClosedSession,
  start: LedgerEntry<StartedBody> | null,
): { readonly kept: Reopening | null; readonly missing: readonly string[] } {
  // A close, a sleep, or an end that was seen has left more certain things.
  if (facts.closed !== null || receipt?.session?.key === facts.key) return { kept: null, missing: [] };
  const { layout, of, missing } = lastLayout(hands, facts);
  if (layout === null) return { kept: null, missing };
  const { agents } = hands;
  const means = meansBy(agents);
  const kinds = agents.map(({ kind }) => kind);
  const run = start?.body.run;
  const begun = run == null ? null : hands.starts.of(run);
  const started = start && reopeningOfStart(facts, start.body, means.resumeOf, begun);
  const own = ownPaneIn(layout, of)?.paneId ?? null;
  const left =
    own !== null && [facts, of].some(({ origin }) => hasLeft(endOf(hands, origin?.run), origin?.pane));
  const isAgent = own !== null && !left && started?.agent && sendsAgain(agents, started) === null;
  // An agent that slept there when it was seen is in the archive of its sleep.
  const carried = carriedOver(hands, of.key, layout.document);
  const whole = carried === null || typeof carried === 'string' ? layout.document : carried.document;
  const gone = left ? withoutLeft(whole, own) : { document: whole, missing: [] };
  const seen = asLastSeen(gone.document, left ? null : own);
  const document = isAgent ? withAgent(seen, own, started) : seen;
  const found = reopeningOf(document, isAgent ? started.argv : null, {
    ...means,
    start: left ? null : begun && { start: begun, paneId: own },
  });
  if (found === null) return { kept: null, missing };
  const known = withKnownAgent(found, kinds);
  const told = started && own !== null && !left ? started.missing.filter((text) => text !== ONLY_FIRST) : [];
  return {
    missing,
    kept: {
      ...known,
      key: facts.key,
      name: of === facts ? known.name : facts.name,
      missing: [...new Set([...known.missing, ...gone.missing, ...told, ...missing])],
      repositories: repositoriesIn(document),
    },
  };
}

function endOf({ ends }: Hands, run: string | undefined): EndRecord | null {
  return run === undefined ? null : ends.of(run);
}
