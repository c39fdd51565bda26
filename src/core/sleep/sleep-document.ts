import type { KeptAgent, KeptDocument, KeptPane } from '../close/kept-document.ts';
import type { Reopening } from '../close/reopening.ts';
import type { KeptStart } from '../sight/start.ts';

/** What is archived of an agent that is made again asleep. */
export interface SleepArchive {
  readonly document: KeptDocument;
  readonly start: KeptStart;
}

/**
 * Archives an agent that is to be made again asleep, with everything that is known of its session: where that is lost once more,
 * it is made from this. `resume` brings back its conversation alone, and the ledger has it too; the words that it was started with
 * may be secret.
 */
export function sleepArchive(
  kept: Reopening,
  { id, at, resume }: { readonly id: string; readonly at: number; readonly resume: readonly string[] },
): SleepArchive {
  const { document = bareDocument(kept) } = kept;
  const known = { kind: kept.agent?.kind ?? null, conversation: kept.agent?.conversation ?? null };
  const { panes } = document;
  const own = panes.find(({ agent }) => agent?.conversation === known.conversation) ?? panes[0];
  return {
    document: {
      ...document,
      version: 1,
      id,
      at,
      agent: { ...known, version: null, pid: null },
      verdict: null,
      evidence: [],
      panes: panes.map((pane) =>
        pane === own ? { ...pane, ...sleepingIn(kept, { ...known, resume }) } : pane,
      ),
    },
    start: startOf(kept, id, own?.paneId ?? null),
  };
}

/** Whether it has an agent that can sleep. */
export function canSleep({ agent, argv }: Reopening): boolean {
  return agent !== null && agent.conversation !== null && argv !== null;
}

function sleepingIn(
  { cwd, argv, env, path }: Reopening,
  known: object,
): Pick<KeptPane, 'cwd' | 'processes' | 'agent'> {
  return { cwd, processes: [], agent: { ...known, cwd, env, ...(path !== undefined && { path }), argv } };
}

/** Of one of which only its start is known. */
function bareDocument({ key, name, socketPath, cwd }: Reopening): KeptDocument {
  const session = { key, name, server: { socketPath } };
  const pane = { paneId: '%0', cwd, isActive: true, processes: [] };
  return { session, claims: null, windows: [], git: [], panes: [pane] };
}

function startOf(
  { argv, cwd, given, isClean, remain }: Reopening,
  run: string,
  paneId: string | null,
): KeptStart {
  const words = argv ?? [];
  const [program = null] = words;
  return { paneId, start: { run, program, argv: words, cwd, env: given, isClean, remain } };
}

/** An agent that sleeps, by the archive that was written when it fell asleep. */
export interface KeptSleep {
  readonly receipt: string;
  readonly paneId: string;
  readonly document: KeptDocument;
}

/**
 * The document of a session with the agent that sleeps in one of its panes; null where the archive has no such agent. A pane in
 * which somebody started another agent has that one.
 */
export function withSleep(
  document: KeptDocument,
  { paneId, document: before }: KeptSleep,
): KeptDocument | null {
  const agent = agentIn(before, paneId);
  if (agent === null) return null;
  const panes = document.panes.map((pane) =>
    pane.paneId === paneId && pane.agent == null ? { ...pane, agent, processes: [] } : pane,
  );
  return { ...document, agent: document.agent ?? before.agent ?? null, panes };
}

/**
 * A session as it was seen while an agent sleeps in it, with that agent in its pane. It comes first, whatever else was started
 * there since: that is told of in a pane of its own. Null where nobody saw its pane, or the archive has no such agent.
 */
export function seenAsleep(
  document: KeptDocument,
  { paneId, document: before }: KeptSleep,
): KeptDocument | null {
  const agent = agentIn(before, paneId);
  const { panes } = document;
  const pane = panes.find((one) => one.paneId === paneId);
  if (agent === null || pane === undefined) return null;
  const isOther = pane.agent != null && pane.agent.conversation !== agent.conversation;
  const slept = panes.map((one) => (one === pane ? { ...pane, agent, processes: [] } : one));
  return { ...document, panes: [...slept, ...(isOther ? [pane] : [])] };
}

// One that was made again asleep was archived in another session, whose panes had other ids; which agent it is, the archive says.
function agentIn({ panes, agent }: KeptDocument, paneId: string): KeptAgent | null {
  const able = panes.filter((pane) => pane.agent != null);
  const { conversation } = agent ?? {};
  const told =
    conversation == null ? undefined : able.find((pane) => pane.agent?.conversation === conversation);
  const [first, ...more] = able;
  const only = more.length === 0 ? first : able.find((pane) => pane.paneId === paneId);
  return (told ?? only)?.agent ?? null;
}
