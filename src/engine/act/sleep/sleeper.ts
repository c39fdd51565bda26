import { whereaboutsOf } from '../../../core/close/whereabouts.ts';
import type { Claims } from '../../../core/ledger/current-facts.ts';
import type { Sleeper } from '../../../core/sleep/asleep.ts';
import { type SleeperSign, sleeperWords } from '../../../core/sleep/sleeper.ts';
import { words } from '../../../core/text/words.ts';
import type { PaneTarget, PaneWish, SessionTarget } from '../../../ports/actuator.ts';
import { leakedBeside } from '../caller-environment.ts';
import type { Subject } from '../close/look-at.ts';
import type { Hands } from '../hands.ts';
import { targetOf } from '../run-find.ts';
import { stampOf } from '../run-wish.ts';
import type { Sleeping } from './wake-order.ts';

/** By these rollcall finds its folders and its tmux servers: whoever wakes it from the pane has to find the same. */
const PLACES = words('HOME XDG_STATE_HOME XDG_CONFIG_HOME XDG_RUNTIME_DIR ROLLCALL_CONFIG TMUX_TMPDIR');

/** What a sleeper is to tell: when it fell asleep, and how much memory came back; null where that is not known. */
export interface SleepSign extends Omit<SleeperSign, 'since' | 'freed'> {
  readonly at: number;
  readonly bytes: number | null;
}

/**
 * The sleeper of a receipt, as it is started in a pane. It has the environment that its session gives to every new pane, and
 * bears the receipt as its run.
 */
export function sleeperWish(
  { callerEnv, own }: Pick<Hands, 'callerEnv' | 'own'>,
  { at, bytes, ...told }: SleepSign,
  claims: Claims | null,
): PaneWish {
  const sign = { ...told, since: whenWords(at), freed: bytes === null ? null : memoryWords(bytes) };
  const env = Object.fromEntries(
    PLACES.flatMap((name) => (callerEnv[name] ? [[name, callerEnv[name] as string]] : [])),
  );
  return {
    ...{ cwd: sign.cwd, argv: sleeperWords(sign, own), env, withoutEnv: leakedBeside(env) },
    ...{ stamp: stampOf(claims ?? {}, sign.receipt), remain: true, isUnrecorded: true },
  };
}

/** When something began, for a person in front of this machine. */
function whenWords(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** An amount of memory, for a person. */
export function memoryWords(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** The process that tmux started in a pane just now. */
export function sleeperOf(
  { processes }: Pick<Hands, 'processes'>,
  { paneId, pid }: Pick<PaneTarget, 'paneId' | 'pid'>,
): Sleeper {
  return { paneId, pid, startTicks: processes.sense().byPid.get(pid)?.startTicks ?? 0 };
}

export type FoundSleeper =
  | { readonly state: 'found'; readonly sleeper: Sleeper; readonly isDead: boolean }
  /** Something else is in the pane. */
  | { readonly state: 'other'; readonly pane: PaneTarget; readonly isDead: boolean }
  /** The session is gone, or has no such pane. */
  | { readonly state: 'absent' }
  | { readonly state: 'unknown' };

/** Looks which program a pane has: one with this receipt, or this run, in its environment was started by it. */
export async function findSleeper(
  hands: Hands,
  { key, target }: Pick<Subject, 'key' | 'target'>,
  { paneId, receipt }: { readonly paneId: string; readonly receipt: string },
): Promise<FoundSleeper> {
  const roll = await hands.look({ servers: [target.server.socketPath], withoutGit: true });
  const where = whereaboutsOf({ key, server: target.server }, roll, hands.processes.sense());
  if (where.state === 'unknown') return { state: 'unknown' };
  const pane = where.state === 'there' ? where.entry.panes.find((one) => one.paneId === paneId) : undefined;
  if (where.state !== 'there' || pane === undefined) return { state: 'absent' };
  const place = targetOf(where.entry, pane);
  const stamped = await hands.tmux.runOf(place);
  if (stamped.state !== 'read') return { state: 'unknown' };
  const { isDead } = pane;
  const other = { state: 'other', pane: place, isDead } as const;
  if (stamped.run !== receipt) return other;
  const sleeper = sleeperOf(hands, place);
  if (isDead) return { state: 'found', sleeper, isDead };
  // The mark of a pane outlives its program: whoever starts another one there has that mark as well.
  const env = hands.processes.environment(sleeper);
  if (env === null || isStillTmux(hands, sleeper)) return { state: 'unknown' };
  return env.ROLLCALL_RUN === receipt ? { state: 'found', sleeper, isDead } : other;
}

// A moment after tmux was asked to start something, its own process has been copied and is not yet what was asked for.
function isStillTmux({ processes }: Pick<Hands, 'processes'>, { pid }: Sleeper): boolean {
  return processes.sense().byPid.get(pid)?.comm.startsWith('tmux') ?? true;
}

/** Has a sleeper wake its agent when somebody comes to its session, where the settings say so. Gives what to tell. */
export async function awaitPeople(
  { tmux, wakesOnAttach }: Pick<Hands, 'tmux' | 'wakesOnAttach'>,
  session: SessionTarget,
  { paneId, pid }: Sleeper,
): Promise<string[]> {
  if (!wakesOnAttach) return [];
  const set = await tmux.enterOnAttach({ session, paneId, pid }, true);
  return set.state === 'done' ? [] : [`it does not wake when somebody attaches: ${set.text}`];
}

/**
 * Puts another sleeper where an agent that was woken has ended: it sleeps on, and says why. Null where tmux did not do it;
 * then the dead pane stays, and its receipt.
 */
export async function sleepAgain(
  hands: Hands,
  { asleep, kept, closed, order }: Pick<Sleeping, 'asleep' | 'kept' | 'closed' | 'order'>,
  pane: PaneTarget,
  trouble: string,
): Promise<Sleeper | null> {
  const { receipt, kind, conversation, freedBytes, at } = asleep;
  const sign = {
    ...{ receipt, session: order.entry.name, kind: kind ?? 'its agent', conversation, trouble },
    ...{ at, bytes: freedBytes, cwd: kept.cwd, resume: kept.argv },
  };
  const started = await hands.tmux.startInPane(pane, sleeperWish(hands, sign, closed.facts.claims));
  if (started.state !== 'started') return null;
  const sleeper = sleeperOf(hands, started);
  await awaitPeople(hands, pane.session, sleeper);
  return sleeper;
}
