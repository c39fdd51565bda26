import type { Reopening } from '../close/reopening.ts';
import type { Json, JsonObject } from '../ledger/json.ts';
import { listIn, objectIn, textIn } from '../ledger/json-values.ts';
import type { KeptStart } from '../sight/start.ts';

/** What is archived of an agent that is made again asleep. */
export interface SleepArchive {
  readonly document: JsonObject;
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
  const panes = listIn(document.panes).map(objectIn);
  const own = panes.find((pane) => objectIn(pane?.agent)?.conversation === known.conversation) ?? panes[0];
  return {
    document: {
      ...document,
      ...{ version: 1, id, at, agent: { ...known, version: null, pid: null }, verdict: null, evidence: [] },
      panes: panes.map(
        (pane): Json => (pane === own ? { ...pane, ...sleepingIn(kept, { ...known, resume }) } : pane),
      ),
    },
    start: startOf(kept, id, textIn(own?.paneId)),
  };
}

/** Whether it has an agent that can sleep. */
export function canSleep({ agent, argv }: Reopening): boolean {
  return agent !== null && agent.conversation !== null && argv !== null;
}

function sleepingIn({ cwd, argv, env, path }: Reopening, known: JsonObject): JsonObject {
  const place = { cwd, env: { ...env }, ...(path !== undefined && { path }) };
  return { cwd, processes: [], agent: { ...known, ...place, argv: argv && [...argv] } };
}

/** Of one of which only its start is known. */
function bareDocument({ key, name, socketPath, cwd }: Reopening): JsonObject {
  const session = { key, name, server: { socketPath } };
  return { session, claims: null, windows: [], git: [], panes: [{ paneId: '%0', cwd, isActive: true }] };
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
