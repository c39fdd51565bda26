import type { JsonObject } from '../../core/ledger/json.ts';
import type { EndRecord } from '../../core/memory/ended.ts';
import type { HostIdentity } from '../../core/sight/identity.ts';
import { identityOf, type PaneEntry, type Roll, type SessionEntry } from '../../core/sight/roll.ts';
import { maskSecrets, maskValues } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import { isLiving } from '../../core/verdict/proven-end.ts';
import type { PaneTarget } from '../../ports/actuator.ts';
import type { Deed } from './deed.ts';
import { awake, type Hands } from './hands.ts';
import type { Birth } from './run-find.ts';

/** What became of it in its first moments. */
export type FirstSight = { readonly host: HostIdentity } & (
  | { readonly state: 'alive'; readonly entry: SessionEntry }
  /** Its program has ended; the pane still tells how. */
  | { readonly state: 'dead'; readonly entry: SessionEntry; readonly pane: PaneEntry }
  /** Its very server answers without it, or has ended. */
  | { readonly state: 'gone' }
  /** Nobody could tell within the time, or its pane is in another session. */
  | { readonly state: 'unseen' }
);

/** A program that cannot even begin ends well within that. */
const SETTLED_MS = 250;
const GIVE_UP_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** tmux (up to 3.5, built with utempter) sometimes learns late how a program ended. */
const STATUS_MS = 1000;

/** Looks until the session is seen with its program alive for a moment, or ended. */
export async function seeBirth(hands: Hands, { pane: target }: Birth): Promise<FirstSight> {
  const { socketPath } = target.session.server;
  const startedAt = awake(hands);
  for (;;) {
    // What it shows is of the beginning of the look, however long that takes.
    const ageMs = awake(hands) - startedAt;
    const roll = await hands.look({ servers: [socketPath] });
    const { host } = roll;
    const found = whereIs(hands, roll, target);
    if (found.state === 'there') {
      const { entry, pane } = found;
      const isTold = pane.exitStatus !== null || pane.exitSignal !== null;
      if (pane.isDead && (isTold || ageMs >= STATUS_MS)) return { state: 'dead', host, entry, pane };
      // What lets go of its terminal is mostly about to end.
      const isLeaving = hasNoTerminal(entry, pane);
      if (pane.isDead || isLeaving) await hands.tmux.wake(target.session);
      if (!pane.isDead && ageMs >= (isLeaving ? STATUS_MS : SETTLED_MS))
        return { state: 'alive', host, entry };
    }
    if (found.state === 'gone') return { state: 'gone', host };
    if (found.state === 'moved' || ageMs >= GIVE_UP_MS) return { state: 'unseen', host };
    await hands.wait(LOOK_EVERY_MS);
  }
}

type Whereabouts =
  | { readonly state: 'there'; readonly entry: SessionEntry; readonly pane: PaneEntry }
  /** Somebody has put its pane into another session. */
  | { readonly state: 'moved' }
  | { readonly state: 'gone' }
  /** Its server was not heard. */
  | { readonly state: 'unsure' };

type Eyes = { readonly processes: Pick<Hands['processes'], 'sense'> };

/** Where a pane is. It is gone only by the word of its very server, or with the process of that. */
export function whereIs(hands: Eyes, roll: Roll, target: PaneTarget): Whereabouts {
  const { server, sessionId, createdAtSeconds } = target.session;
  const all = roll.sessions.flatMap((entry) =>
    entry.panes.flatMap((pane) =>
      entry.server.pid === server.pid && pane.paneId === target.paneId ? [{ entry, pane }] : [],
    ),
  );
  const found = all.find(({ entry }) => {
    const seen = identityOf(entry);
    return seen.sessionId === sessionId && seen.createdAtSeconds === createdAtSeconds;
  });
  if (found !== undefined) return { state: 'there', ...found };
  if (all.length > 0) return { state: 'moved' };
  const isHeard = roll.servers.some(({ pid }) => pid === server.pid);
  return { state: isHeard || hasEnded(hands, server) ? 'gone' : 'unsure' };
}

function hasEnded({ processes }: Eyes, { pid, startTicks }: PaneTarget['session']['server']): boolean {
  const { byPid, isComplete } = processes.sense();
  const process = byPid.get(pid);
  if (process === undefined) return isComplete;
  return !isLiving(process) || (startTicks !== 0 && process.startTicks !== startTicks);
}

function hasNoTerminal({ evidence }: SessionEntry, { paneId }: PaneEntry): boolean {
  return evidence.some((piece) => piece.kind === 'pane' && piece.paneId === paneId && piece.hasNoTerminal);
}

/** How a program ended, as far as tmux tells, and what it last showed. */
export interface FirstEnd {
  readonly exitStatus: number | null;
  readonly exitSignal: string | null;
  readonly screen: readonly string[];
}

const ROWS_KEPT = 15;
const LONGEST_ROW = 200;

/** A busy machine takes its time; where tmux writes nothing, the dead pane tells after that. */
const RECORD_MS = 10_000;

/** What is left of a program that has ended, once tmux is through with it. */
interface Outlasted {
  readonly seen: FirstSight;
  /** The end as tmux wrote it down; null where that did not come about. */
  readonly record: EndRecord | null;
}

/** Waits for how it ended, and lets go of the pane. `isHeld`: the pane stays as it is. */
export async function settleBirth(
  hands: Hands,
  deed: Deed<'settle'>,
  birth: Birth,
  first: FirstSight,
  { word, isHeld }: { readonly word: string; readonly isHeld: boolean },
): Promise<Outlasted & { readonly end: FirstEnd | null }> {
  const { seen, record } = isHeld
    ? { seen: first, record: null }
    : await outlastEnd(hands, birth, first, word);
  const end = await endOf(hands, birth, { seen, record }, word);
  await deed.step('settle', async () => {
    if (seen.state !== 'gone' && !isHeld) await hands.tmux.letGo(birth.pane);
  });
  return { seen, record, end };
}

/**
 * Waits until tmux has written down how the program ended. Then its hook removes the pane, or leaves it where the user's own
 * options keep it: nobody else can tell, so nobody else removes it.
 */
async function outlastEnd(hands: Hands, birth: Birth, seen: FirstSight, run: string): Promise<Outlasted> {
  if (seen.state !== 'dead') return { seen, record: seen.state === 'gone' ? hands.ends.of(run) : null };
  const { socketPath } = birth.pane.session.server;
  const endsAt = awake(hands) + RECORD_MS;
  for (;;) {
    const stamped = await hands.tmux.runOf(birth.pane);
    if (stamped.state === 'read' && !stamped.isEndPending) return { seen, record: hands.ends.of(run) };
    const roll = await hands.look({ servers: [socketPath] });
    if (whereIs(hands, roll, birth.pane).state === 'gone') {
      return { seen: { state: 'gone', host: seen.host }, record: hands.ends.of(run) };
    }
    if (awake(hands) >= endsAt) return { seen, record: null };
    await hands.wait(LOOK_EVERY_MS);
  }
}

/**
 * How its program ended, and what it last showed. The visible screen is not enough: tmux makes room on it for its own
 * line, and the first row leaves it. Of programs that end as soon as they have printed something, tmux 3.3a itself loses
 * about one in thirty outputs. What was given to it with `--env` is not shown.
 */
export async function endOf(
  hands: Hands,
  { pane }: Birth,
  { seen, record }: Outlasted,
  run: string,
): Promise<FirstEnd | null> {
  if (record !== null) {
    const { exitStatus, exitSignal, lines } = record;
    return { exitStatus, exitSignal, screen: lines.slice(-ROWS_KEPT) };
  }
  if (seen.state !== 'dead') return null;
  const { exitStatus, exitSignal } = seen.pane;
  const history = await hands.tmux.history(pane);
  const rows = history.state === 'captured' ? history.text.split('\n') : [];
  const said = rows.filter((row) => row.trim() !== '' && !row.startsWith('Pane is dead'));
  const given = Object.values(hands.starts.of(run)?.env ?? {});
  const screen = said.slice(-ROWS_KEPT).map((row) => maskSecrets(maskValues(row, given)));
  return { exitStatus, exitSignal, screen };
}

/** The same, to be recorded. */
export function endBody({ exitStatus, exitSignal, screen }: FirstEnd): JsonObject {
  return { exitStatus, exitSignal, screen: screen.map((row) => visible(row, LONGEST_ROW)) };
}
