import type { KeptDocument, KeptPane } from '../close/kept-document.ts';
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
