import {
  isOfAge,
  type Left,
  otherPanes,
  runsItsOwn,
  seenInPane,
  topmost,
} from '../../../core/close/left-running.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import { textIn } from '../../../core/ledger/json.ts';
import {
  bootOf,
  type HostIdentity,
  processKey,
  type ServerIdentity,
  whenceOf,
} from '../../../core/sight/identity.ts';
import { mayBeMarkOf, paneMarkIn } from '../../../core/sight/marks.ts';
import type { Process, ProcessTable } from '../../../core/sight/process.ts';
import { mayBeDaemon, mayBeServer } from '../../../core/verdict/keepers.ts';
import { isTmux } from '../../../core/verdict/whose.ts';
import { createMarkPlaces } from '../../look/marked-processes.ts';
import { argvOf } from '../../look/terminal-facts.ts';
import { judging } from '../close/nobodys.ts';
import type { Hands } from '../hands.ts';

type Host = Pick<HostIdentity, 'machineId' | 'bootId' | 'pidNamespace'>;

/**
 * Finds programs that outlived their server, or the close of their session, because they ignore the end of their terminal: no
 * second one may be started beside them. Known by the processes that were seen in the pane, by the pane's mark in their
 * environment, and what rollcall started also by the mark of its run. Nothing outlives a boot. `own`: what still runs of the
 * program in the first pane, none where that is an agent or a plain shell; `of`: what still runs of another pane.
 */
export function leftRunning(hands: Hands, facts: SessionFacts, kept: Reopening, host: Host) {
  const isAsked = runsItsOwn(kept) || otherPanes(kept).length > 0;
  if (!isAsked || whenceOf(facts, host) === 'earlier') return NOTHING_LEFT;
  const table = hands.processes.sense();
  const all = livingIn(hands, table);
  const { origin } = facts;
  const seen = seenOn(kept, facts, host);
  const begun = whenceOf(facts, host) === 'this' ? origin?.place?.server : undefined;
  const inSeen = seen === null ? null : markedOn(hands, table, all, seen.server);
  const inBegun = begun === undefined ? null : markedOn(hands, table, all, begun);
  // What is known may be of the session that it was made from, whose panes have other ids.
  const ownPane = seen?.isItself === false ? kept.paneId : (origin?.pane?.paneId ?? kept.paneId);
  const of = (paneId: string | undefined): Process[] => {
    const found = [
      ...(inSeen && paneId !== undefined ? seenIn(kept, paneId, all) : []),
      ...(inSeen?.(paneId) ?? []),
      ...(paneId === ownPane ? (inBegun?.(origin?.pane?.paneId) ?? []) : []),
      ...(paneId === ownPane ? ofRuns(hands, facts, table, all) : []),
    ];
    return topmost([...new Set(found)]);
  };
  return { own: runsItsOwn(kept) ? of(kept.paneId ?? ownPane) : [], of };
}

const NOTHING_LEFT = { own: [], of: (): readonly Left[] => [] };

/** Everything of this user that lives, but for tmux itself. */
function livingIn({ owners }: Hands, { byPid }: ProcessTable): Process[] {
  const all = [...byPid.values()].filter((one) => one.state !== 'Z' && one.state !== 'X' && !isTmux(one));
  const uids = owners.uids(all);
  return all.filter(({ pid }) => uids.get(pid) === owners.own);
}

/** The server on which what is known of it was seen, on this boot. */
function seenOn(
  { document }: Reopening,
  facts: SessionFacts,
  host: Host,
): { readonly server: ServerIdentity; readonly isItself: boolean } | null {
  const { key, server } = document?.session ?? {};
  const { socketPath, pid, startTicks } = server ?? {};
  if (key == null || socketPath == null || pid == null || startTicks == null) return null;
  const isHere = bootOf(key, host) === 'this' && whenceOf(facts, host) === 'this';
  return isHere ? { server: { socketPath, pid, startTicks }, isItself: key === facts.key } : null;
}

function seenIn({ document }: Reopening, paneId: string, all: readonly Process[]): Process[] {
  const seen = seenInPane(document, paneId);
  return all.filter((one) => seen.has(processKey(one)));
}

// A daemon that serves others too has the mark of the pane that happened to start it.
function markedOn(
  hands: Hands,
  table: ProcessTable,
  all: readonly Process[],
  server: ServerIdentity,
): (paneId: string | undefined) => Process[] {
  const old = all.filter((one) => isOfAge(one, server, table.byPid.get(server.pid)));
  const marks = hands.processes.markers(old);
  const placeOf = createMarkPlaces(table.byPid, hands.processes);
  const judge = judging(hands, table, server);
  return (paneId) =>
    old.filter((process) => {
      const { tmux, tmuxPane } = marks.get(process.pid) ?? {};
      const mark = paneMarkIn({ TMUX: tmux, TMUX_PANE: tmuxPane });
      if (mark === null || mark.paneId !== paneId || mark.serverPid !== server.pid) return false;
      if (!mayBeMarkOf(mark, server, placeOf(process, mark))) return false;
      return judge(process, 'mark').of === 'pane' && !servesOthers(hands, table, process);
    });
}

function servesOthers({ processes }: Hands, { byPid }: ProcessTable, process: Process): boolean {
  const parent = byPid.get(process.ppid);
  return mayBeDaemon(process, parent) || mayBeServer(process, parent, argvOf(process, processes));
}

// A tmux server that was started from the pane hands this mark on to all its panes, beside their own pane marks.
function ofRuns(
  hands: Hands,
  { key, origin }: SessionFacts,
  table: ProcessTable,
  all: readonly Process[],
): Process[] {
  const { entries } = hands.ledger.read({ about: key });
  const runs = new Set([origin?.run, ...entries.map(({ body }) => textIn(body.run))]);
  const judge = judging(hands, table);
  return all.filter((process) => {
    const env = hands.processes.environment(process);
    if (env?.ROLLCALL_RUN === undefined || !runs.has(env.ROLLCALL_RUN)) return false;
    const isHere = origin?.place == null || paneMarkIn(env) === null;
    return isHere && judge(process, 'mark').of === 'pane';
  });
}
