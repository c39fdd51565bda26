import { plainly } from '../../../core/close/ended.ts';
import type { RungReport, Survivor } from '../../../core/close/receipt.ts';
import { isSameProcess, processKey, type ServerIdentity } from '../../../core/sight/identity.ts';
import { mayBeMarkOf, paneMarkIn } from '../../../core/sight/marks.ts';
import type { Process } from '../../../core/sight/process.ts';
import { programName } from '../../../core/sight/program.ts';
import { isGone, type Roll, type SessionEntry } from '../../../core/sight/roll.ts';
import { visible } from '../../../core/text/visible.ts';
import { named, type ProcessNote } from '../../../core/verdict/evidence.ts';
import { isTmux } from '../../../core/verdict/whose.ts';
import type { SessionTarget } from '../../../ports/actuator.ts';
import { createMarkPlaces } from '../../look/marked-processes.ts';
import type { DoStep } from '../deed.ts';
import type { Hands } from '../hands.ts';
import type { Subject, There } from './look-at.ts';
import { judging } from './nobodys.ts';
import type { CloseTimings } from './order.ts';
import { killAll, livingOf, terminateAll, untilGone } from './processes.ts';

export interface Sweeping {
  readonly hands: Hands;
  readonly subject: Subject;
  readonly step: DoStep<'sweep'>;
  readonly timings: CloseTimings;
  readonly isForced: boolean;
  /** The panes that were its own. */
  readonly paneIds: ReadonlySet<string>;
  /** What was seen and judged before the first rung. */
  readonly belongings: Readonly<
    Record<'of' | 'others', (paneIds: ReadonlySet<string>) => readonly Survivor[]>
  >;
  /** The look that found it gone: what a pane has by now lives on. */
  readonly roll: SeenSessions;
}

/** What a look saw of processes. */
export interface SeenSessions {
  readonly sessions: readonly Pick<SessionEntry, 'evidence'>[];
}

type Swept = Omit<RungReport, 'rung' | 'startedAt' | 'endedAt'> & { readonly survivors: readonly Survivor[] };

/**
 * Ends processes that were listed before the first rung and outlived their session. What was started since (a hook that saves
 * on exit) gets time to end by itself and is only told, and so is everything that does not belong to the session.
 */
export async function sweep(sweeping: Sweeping): Promise<Swept> {
  const { hands, subject, step, timings, isForced, paneIds, belongings, roll } = sweeping;
  const inUse = inPanes(roll);
  const isFree = (one: Survivor) => !inUse.has(processKey(one));
  const own = livingOf(hands, belongings.of(paneIds)).filter(isFree).map(plainly);
  const isSeen = own.length === 0 || isForced || seesPanes(hands, roll);
  const found = isSeen ? own : [];
  const unsure = isSeen ? [] : own;
  const others = livingOf(hands, belongings.others(paneIds)).filter(isFree).map(plainly);
  const later = markedBy(hands, subject.target.server, paneIds, [...own, ...others]).filter(isFree);
  if (own.length + others.length + later.length === 0) {
    return { result: 'skipped', text: 'nothing was left behind', survivors: [] };
  }
  let left: Survivor[] = [];
  let refused: string[] = [];
  if (found.length > 0) {
    await step('sweep', async () => {
      refused = terminateAll(hands, found);
      left = await untilGone(hands, found, timings.terminateMs, timings);
    });
  }
  if (isForced && left.length > 0) {
    await step('sweep', async () => {
      refused.push(...killAll(hands, left));
      left = await untilGone(hands, left, timings.killMs, timings);
    });
  }
  const late = await untilGone(hands, later, timings.lateMs, timings);
  const ended = found.filter((one) => !left.includes(one)).map(named);
  const kept = livingOf(hands, others);
  const text = [
    ...(ended.length > 0 ? [`ended ${ended.join(', ')}`] : []),
    ...(left.length > 0 ? [`${left.map(named).join(', ')} still runs`] : []),
    ...unendedWords(unsure),
    ...(late.length > 0 ? [`began while it was closed, and still runs: ${late.map(named).join(', ')}`] : []),
    ...(kept.length > 0 ? [`not its own to end: ${kept.map(named).join(', ')}`] : []),
    ...refused,
  ].join('; ');
  const result = left.length + unsure.length > 0 ? 'failed' : found.length > 0 ? 'done' : 'skipped';
  const survivors = [...left, ...unsure, ...late, ...kept];
  return { result, text: text || 'nothing was left behind', survivors };
}

/** Why these were left alone, in words; nothing where there are none. */
export function unendedWords(unsure: readonly Survivor[]): string[] {
  const why = 'not ended, because the processes of other panes cannot be seen';
  return unsure.length === 0 ? [] : [`${why}: ${unsure.map(named).join(', ')}`];
}

/** Whether it is seen what panes have now: without that, what was moved to another one would be taken for left behind. */
export function seesPanes({ processes }: Pick<Hands, 'processes'>, { sessions }: SeenSessions): boolean {
  const wasBlind = sessions.some(({ evidence }) =>
    evidence.some((piece) => piece.kind === 'sensor-unavailable' && piece.source === 'process'),
  );
  return !wasBlind && processes.sense().isComplete;
}

/** Panes of a closed session that somebody moved to another session: they live on, and so does what is in them. */
export function movedPanes(
  { target, key }: { readonly key: string; readonly target: Pick<SessionTarget, 'server'> },
  paneIds: Iterable<string>,
  roll: Roll,
): { readonly paneId: string; readonly session: string }[] {
  const own = new Set(paneIds);
  return roll.sessions
    .filter(({ server, key: other }) => isSameProcess(server, target.server) && other !== key)
    .flatMap(({ name, panes }) =>
      panes.filter(({ paneId }) => own.has(paneId)).map(({ paneId }) => ({ paneId, session: name })),
    );
}

/** Everything that belongs to a pane now, or what of that is meant: what was moved there lives on. */
export function inPanes(
  { sessions }: SeenSessions,
  isMeant: (note: ProcessNote) => boolean = () => true,
): ReadonlySet<string> {
  const notes = sessions.flatMap(({ evidence }) =>
    evidence.flatMap((piece) => (piece.kind === 'processes' ? piece.processes : [])),
  );
  return new Set(notes.filter(isMeant).map(processKey));
}

/**
 * Processes with the mark of these panes in their environment, apart from those that are known: they are only told. What runs
 * below a daemon that several panes share, or in another pane, inherited the mark by accident and is left out.
 */
export function markedBy(
  hands: Hands,
  server: ServerIdentity,
  paneIds: ReadonlySet<string>,
  known: readonly Survivor[],
): Survivor[] {
  const keys = new Set(known.map(processKey));
  const table = hands.processes.sense();
  const strangers = [...table.byPid.values()].filter(
    (process) =>
      !keys.has(processKey(process)) &&
      process.pid !== server.pid &&
      // A process that is older than the server was marked by an earlier server with the same pid.
      process.startTicks >= server.startTicks &&
      process.state !== 'Z' &&
      !isTmux(process),
  );
  const judge = judging(hands, table, server);
  const placeOf = createMarkPlaces(table.byPid, hands.processes);
  const marked = [...hands.processes.markers(strangers).values()].filter(({ pid, tmux, tmuxPane }) => {
    const [mark, process] = [paneMarkIn({ TMUX: tmux, TMUX_PANE: tmuxPane }), table.byPid.get(pid)];
    const isPanes = mark !== null && process !== undefined && paneIds.has(mark.paneId);
    return isPanes && mark.serverPid === server.pid && mayBeMarkOf(mark, server, placeOf(process, mark));
  });
  const own = marked.filter(({ pid }) => judge(table.byPid.get(pid) as Process, 'mark').of === 'pane');
  const details = hands.processes.details(own, { io: false, memory: false });
  return own.map(({ pid, startTicks }) => {
    const argv = details.get(pid)?.argv ?? [];
    return { pid, startTicks, program: visible(programName(argv[0] ?? '?'), 120) };
  });
}

/**
 * What a person should know about what came after: something that brought it back (a hook, another supervisor), and
 * windows that live on in other sessions. rollcall itself brings nothing back.
 */
export async function comingBack(
  hands: Hands,
  { name, target, key }: Subject,
  before: There,
): Promise<string[]> {
  const { sessions } = await hands.look({ servers: [target.server.socketPath], withoutGit: true });
  const again = sessions.filter(
    (entry) =>
      entry.name === name && entry.key !== key && !isGone(entry) && entry.createdAt + 1000 > before.roll.at,
  );
  const shared = before.panes.filter(({ isShared }) => isShared).map(({ paneId }) => paneId);
  return [
    ...again.map((entry) => `another session took its name while it was closed: ${entry.key}`),
    ...(shared.length > 0 ? [`in other sessions live on: ${shared.join(', ')}`] : []),
  ];
}
