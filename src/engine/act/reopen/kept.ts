import { type Received, readReceived, type StartedBody } from '../../../core/close/bodies.ts';
import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import { asLastSeen, type KeptDocument } from '../../../core/close/kept-document.ts';
import { repositoriesIn } from '../../../core/close/lost-folder.ts';
import { reopeningOfStart } from '../../../core/close/reopen-start.ts';
import { type Reopening, reopeningOf, withKnownAgent } from '../../../core/close/reopening.ts';
import { sealOf, VARIABLES } from '../../../core/close/seal.ts';
import { isPartial } from '../../../core/ledger/entry.ts';
import type { KeptStart } from '../../../core/sight/start.ts';
import { seenAsleep } from '../../../core/sleep/sleep-document.ts';
import { shownCommand } from '../../../core/text/mask-secrets.ts';
import type { Hands } from '../hands.ts';
import { heardStart } from '../heard-start.ts';
import { meansBy, sendsAgain } from './by-agents.ts';
import { fromLayout } from './from-layout.ts';
import type { ReopenOrder, ReopenResult } from './order.ts';

/** What a session is made from in which an agent sleeps. */
interface SinceAsleep {
  readonly document: KeptDocument;
  readonly start: KeptStart | null;
  /** Why what happened in it since cannot be used. */
  readonly missing: readonly string[];
}

/**
 * A session whose agent sleeps goes on: windows are opened in it, it is renamed. So it is made as it was last seen, with the
 * agent of the archive; and as it was archived where nobody saw it since.
 */
function sinceAsleep(
  { layouts }: Pick<Hands, 'layouts'>,
  { facts: { key, asleep }, receipt }: ClosedSession,
  { document, start }: Pick<SinceAsleep, 'document' | 'start'>,
): SinceAsleep {
  const archived = { document, start };
  if (asleep === undefined || receipt?.body.receipt !== asleep.receipt) return { ...archived, missing: [] };
  const read = layouts.of(key);
  if (read.state === 'refused') return { ...archived, missing: [`${NOT_KNOWN}: ${read.text}`] };
  if (read.state !== 'read' || read.layout.at < asleep.at) return { ...archived, missing: [] };
  const { paneId } = asleep;
  const seen = seenAsleep(read.layout.document, { receipt: asleep.receipt, paneId, document });
  if (seen === null) return { ...archived, missing: [`${NOT_KNOWN}: pane ${paneId} was not in it any more`] };
  return { document: seen, start: start && { ...start, paneId }, missing: [] };
}

const NOT_KNOWN = 'what happened in it while its agent slept does not come back';

type Refused = Extract<ReopenResult, { state: 'changed' | 'unsealed' | 'not-kept' }>;

/** What a closed session is made from: its archive, or what rollcall started it with. */
export function keptOf(
  hands: Hands,
  order: Pick<ReopenOrder, 'closed' | 'isUnsealedEnough' | 'isAgentOnly'>,
): Reopening | Refused {
  const { facts, receipt } = order.closed;
  const start = heardStart(hands, order.closed);
  const body = receipt?.body ?? readReceived({});
  // Everything else of a session that stands is there.
  const last = order.isAgentOnly ? { kept: null, missing: [] } : fromLayout(hands, order.closed, start);
  if (last.kept !== null) return last.kept;
  const { receipt: id } = body;
  const archived = id === null ? null : hands.archive.read(id);
  const seal = archived?.state === 'read' ? sealOf(body, archived.digest) : 'whole';
  const variables = archived?.state === 'read' && id !== null ? variablesOf(hands, id, body) : NONE;
  if (seal === 'changed' || variables.isChanged || (seal === 'unsealed' && !order.isUnsealedEnough)) {
    const state = seal === 'unsealed' ? seal : 'changed';
    return { state, path: archived?.path ?? '', resume: body.resume };
  }
  const means = meansBy(hands.agents);
  // The agent that it is about, where the session has others.
  const isOfAgent = isPartial(receipt) || receipt?.action === 'hibernate';
  const resume = isOfAgent ? body.resume : null;
  const from =
    archived?.state === 'read'
      ? sinceAsleep(hands, order.closed, { document: archived.document, start: variables.start })
      : null;
  // The session stood on after that, and what ran beside the agent with it.
  const document =
    from && (isOfAgent ? asLastSeen(from.document, from.start?.paneId ?? null) : from.document);
  const found = document && reopeningOf(document, resume, { ...means, start: from?.start ?? null });
  if (from && document && found) {
    const kinds = hands.agents.map(({ kind }) => kind);
    const known = withKnownAgent(found, kinds);
    const notes = [...(seal === 'unsealed' ? [NOT_COMPARED] : []), ...variables.missing, ...from.missing];
    const repositories = repositoriesIn(document);
    return { ...known, missing: [...known.missing, ...notes], key: facts.key, repositories };
  }
  const run = start?.body.run;
  const kept = run == null ? null : hands.starts.of(run);
  const started = start && reopeningOfStart(facts, start.body, means.resumeOf, kept);
  const why = started && sendsAgain(hands.agents, started);
  if (start && why) {
    const text = `${why}, and a first prompt would be sent again; start it by hand: ${commandOf(start.body)}`;
    return { state: 'not-kept', text };
  }
  if (started) return { ...started, missing: [...started.missing, ...last.missing] };
  if (start?.body.isWhole === false)
    return { state: 'not-kept', text: `${NOT_WHOLE}: ${commandOf(start.body)}` };
  const text = archived?.state === 'failed' ? archived.text : `there is no archive ${archived?.path ?? ''}`;
  return { state: 'not-kept', text: [text.trim(), ...last.missing].join('; ') };
}

const NOT_COMPARED = 'its archive was not compared: its receipt is of a version that recorded no digest';
const NOT_WHOLE = 'arguments that look like secrets, or are very long, were not recorded; start it by hand';

function commandOf({ argv }: StartedBody): string {
  return `rollcall run -- ${shownCommand(argv ?? [], 500)}`;
}

interface Variables {
  readonly start: KeptStart | null;
  readonly isChanged: boolean;
  readonly missing: readonly string[];
}

const NONE: Variables = { start: null, isChanged: false, missing: [] };

/** How it was started, where the receipt tells of that; what is not as it was written is not run. */
function variablesOf({ archive }: Hands, id: string, body: Received): Variables {
  if (body.digests?.[VARIABLES] === undefined) return NONE;
  const read = archive.start(id);
  if (read.state === 'read') {
    const isChanged = sealOf(body, read.digest, VARIABLES) !== 'whole';
    return { ...NONE, start: read.start, isChanged };
  }
  const why = read.state === 'failed' ? read.text : `${VARIABLES} is not in its archive any more`;
  return { ...NONE, missing: [`its options and variables are not known: ${why}`] };
}
