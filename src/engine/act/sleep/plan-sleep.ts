import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { isGone, isSleepIn, type SessionEntry } from '../../../core/sight/roll.ts';
import { ago } from '../../../core/verdict/retention.ts';
import type { PaneEnd, Stamped } from '../../../ports/actuator.ts';
import { closedBefore } from '../close/await-decision.ts';
import type { Subject, There } from '../close/look-at.ts';
import { type CloseOrder, type CloseResult, refusal } from '../close/order.ts';
import { factsOf, type Hands } from '../hands.ts';

/** How an agent is put to sleep. */
export interface SleepPlan {
  /** The pane that it is in. */
  readonly paneId: string;
  readonly kind: string;
  readonly conversation: string | null;
  readonly cwd: string;
  readonly resume: readonly string[] | null;
  /** Its pane is to stay when what was woken ends in it. */
  readonly isPaneKept: boolean;
  /** Memory of what is to leave; null where that is not known. */
  readonly bytes: number | null;
  /** What became of the pane until now when its program ended. */
  readonly end: Exclude<PaneEnd, 'held'>;
}

type Read = Extract<Stamped, { state: 'read' }>;

/** The one agent of a session that can be put to sleep. */
interface Sleepy {
  readonly pane: ClosingPane;
  readonly kind: string;
  readonly conversation: string;
  readonly resume: readonly string[];
}

/** Who would be put to sleep; or why nobody can be. */
export function agentToSleep(entry: SessionEntry, panes: readonly ClosingPane[]): Sleepy | CloseResult {
  if (isSleepIn(entry)) {
    return refusal(entry, 'an agent sleeps in it already', 'wake it first: only one can sleep in a session');
  }
  const [pane, ...more] = panes.filter(({ agent }) => agent !== null);
  if (pane === undefined) return refusal(entry, 'no agent runs in it', 'rollcall close closes it');
  if (more.length > 0) {
    const names = [pane, ...more].map(({ paneId }) => paneId).join(', ');
    return refusal(entry, `several agents run in it: ${names}`, 'only a session with one agent can sleep');
  }
  const { agent, told } = pane;
  const { resume = [] } = told ?? {};
  if (resume.length === 0 || told?.conversation === undefined) {
    const hint = 'its conversation is not known, or cannot be resumed';
    return refusal(entry, 'how to wake it is not known', hint);
  }
  return { pane, kind: agent?.agentKind ?? '', conversation: told.conversation, resume };
}

/** What is put to sleep, and how; or why nothing can be. */
export async function planSleep(
  hands: Hands,
  { target }: Subject,
  sight: There,
): Promise<SleepPlan | CloseResult> {
  const found = agentToSleep(sight.entry, sight.panes);
  if ('state' in found) return found;
  const { pane, kind, conversation, resume } = found;
  const cwd = sight.entry.panes.find(({ paneId }) => paneId === pane.paneId)?.cwd ?? '/';
  if (!(await hands.isFolder(cwd))) {
    return refusal(sight.entry, `its folder is gone: ${cwd}`, 'it could not be woken there');
  }
  const stamped = await hands.tmux.runOf({ session: target, paneId: pane.paneId, pid: pane.pid });
  if (stamped.state !== 'read') {
    const hint = 'nothing was done; try again';
    return { state: 'failed', text: 'tmux did not tell what becomes of its pane', hint, rungs: [] };
  }
  // It would run when the agent leaves, beside ours: one that starts the pane again would send a first prompt twice.
  if (stamped.hasOwnHook) {
    const hint = `tmux set-hook -p -u -t ${pane.paneId} pane-died takes it off`;
    return refusal(sight.entry, `pane ${pane.paneId} has a pane-died hook of its own`, hint);
  }
  const end = endOf(hands, stamped);
  // A shell below it ends too: what the agent shows when it ends after that goes to nobody, unless its pane stays.
  const hadShell = pane.processes.some(({ role, relation }) => role === 'shell' && relation === 'root');
  return {
    ...{ paneId: pane.paneId, kind, conversation, resume, cwd, end, bytes: bytesOf(pane) },
    isPaneKept: hadShell || staysBy(end),
  };
}

function staysBy(end: SleepPlan['end']): boolean {
  return 'run' in end ? end.isKept : end.remain !== null && end.remain !== 'off';
}

/** What tmux does with the pane when its program ends. */
function endOf({ starts }: Hands, { run, isEndPending, remain }: Read): SleepPlan['end'] {
  if (!isEndPending || run === null) return { remain };
  return { run, isKept: starts.of(run)?.remain ?? false };
}

/** Whether a pane may stay when its program ends, by all that is set for it. */
export function mayStay({ starts }: Pick<Hands, 'starts'>, stamped: Read): boolean {
  const { run, isEndPending, remain, inherited } = stamped;
  // What is set while the end is still to be written down is taken back after that.
  const option = isEndPending ? inherited : (remain ?? inherited);
  return option !== 'off' || (run !== null && starts.of(run)?.remain === true);
}

/** What leaves: the agent, whatever launched it, and all that runs below it. */
function bytesOf({ processes, agent, launchers }: ClosingPane): number {
  const leaving = processes.filter(
    (note) => note === agent || launchers.includes(note) || note.helper !== undefined,
  );
  return leaving.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
}

/** Why there is nothing to put to sleep; null where there may be. */
export function awayOrAsleep(
  hands: Hands,
  subject: Subject,
  { entry }: Pick<CloseOrder, 'entry'>,
): CloseResult | null {
  if (isGone(entry)) return closedBefore(hands, subject);
  const asleep = factsOf(hands, subject)?.asleep;
  if (entry.activity !== 'asleep' || asleep === undefined) return null;
  const text = `it fell asleep ${ago(hands.now() - asleep.at)}`;
  return { state: 'already-asleep', receipt: asleep.receipt, text };
}
