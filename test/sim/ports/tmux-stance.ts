import type { NotDone, PaneTarget, SessionTarget, Stance, Terms } from '../../../src/ports/actuator.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimPane, SimSession } from '../machine/tmux-parts.ts';
import type { SimTmuxServer } from '../machine/tmux-server.ts';

/** One thing that tmux has to find as it was judged. */
interface Fact {
  readonly isSo: boolean;
  readonly otherwise: string;
  readonly isMotion?: boolean;
}

const TOO_LATE = 'tmux took too long, and did nothing';

/** How a session stands, in the words of the formats that the real actuator asks for. */
export function writtenOf(session: SimSession): Record<string, string> {
  const { server, lastAttachedAtSeconds, group, options } = session;
  const panes = panesOf(session);
  const each = (of: (pane: SimPane) => string | number) => panes.map((pane) => `${of(pane)} `).join('');
  return {
    at: String(server.machine.clock.seconds),
    ...peopleOf(session),
    lastAttached: lastAttachedAtSeconds === 0 ? '' : String(lastAttachedAtSeconds),
    group: group === null ? '0/' : `1/${groupOf(session).length}`,
    held: (options.get('@rollcall_held') ?? '') === '' ? '1' : '0',
    alone: server.sessions.size === 1 ? '1' : '0',
    piped: each(({ isPiped }) => Number(isPiped)),
    panes: each(({ id, process }) => `${id}=${process.pid}`),
    linked: each(({ window }) => Number(window.sessions.size > 1)),
    modes: each(({ modes }) => modes),
    motion: each(motionOf),
  };
}

/** The stance of a session, told now. */
export function stanceOf(session: SimSession, target: SessionTarget): Stance {
  const panes = panesOf(session).map(({ id, process }) => ({ paneId: id, pid: process.pid }));
  return {
    session: target,
    panes,
    written: writtenOf(session),
    toldAt: session.server.machine.clock.awakeMs,
  };
}

/** The session that is meant, if it is that very one. */
export function findSession(
  machine: Machine,
  { server: { socketPath, pid }, sessionId, createdAtSeconds }: SessionTarget,
): { readonly server: SimTmuxServer; readonly session: SimSession } | NotDone {
  const server = machine.servers.get(socketPath);
  if (server === undefined || server.isGone) return changed('its tmux server is gone');
  if (server.pid !== pid) return changed('another tmux server runs in its place');
  const session = server.sessions.get(sessionId);
  if (session === undefined) return changed('it is gone');
  if (session.createdAtSeconds !== createdAtSeconds) return changed('another session has its id');
  return { server, session };
}

/** The pane that is meant, in this very session and with this very process. */
export function findPane(
  machine: Machine,
  { session: target, paneId, pid }: PaneTarget,
): { readonly server: SimTmuxServer; readonly session: SimSession; readonly pane: SimPane } | NotDone {
  const found = findSession(machine, target);
  if ('state' in found) return found;
  const pane = panesOf(found.session).find(({ id }) => id === paneId);
  if (pane === undefined) return changed('the pane is gone');
  if (pane.process.pid !== pid) return changed('another process runs in the pane');
  return { ...found, pane };
}

/** What of the whole session is not as it stood; null where all of it is. */
export function strayed(session: SimSession, { stance, aside }: Terms, before: number): NotDone | null {
  const { written } = stance;
  const now = writtenOf(session);
  const modes = aside.has('mode') ? written.modes : written.modes?.replace(/\d+/g, '0');
  const facts: Fact[] = [
    inTime(session, before),
    ...people(now, written, aside),
    {
      isSo: written.alone === '1' || now.alone === written.alone,
      otherwise: 'it is the last of its server now',
    },
    same(now, written, 'panes', 'its panes are not the same any more'),
    same(now, written, 'piped', 'a program was piped to it, or is not any more'),
    same(now, written, 'linked', 'its windows are shared otherwise than before'),
    { isSo: now.modes === modes, otherwise: IN_MODE },
    ...(aside.has('motion') ? [] : [{ ...same(now, written, 'motion', STIRRED), isMotion: true }]),
  ];
  return whatChanged(facts);
}

/** The same for keys that go to one pane. */
export function paneStrayed(
  session: SimSession,
  pane: SimPane,
  { stance, aside, shown = [] }: Terms,
  before: number,
): NotDone | null {
  const { written } = stance;
  const now = writtenOf(session);
  const at = stance.panes.findIndex(({ paneId }) => paneId === pane.id);
  const word = (words: string | undefined) => words?.split(' ')[at];
  const facts: Fact[] = [
    inTime(session, before),
    { isSo: !pane.isDead, otherwise: 'its program has ended' },
    { isSo: pane.modes === 0, otherwise: IN_MODE },
    { isSo: !pane.isSynchronized, otherwise: 'what is typed in the pane goes to other panes too' },
    { isSo: !pane.isInputOff, otherwise: 'the pane takes no input' },
    ...people(now, written, aside),
    {
      isSo: String(Number(pane.window.sessions.size > 1)) === word(written.linked),
      otherwise: 'its windows are shared otherwise than before',
    },
    ...(aside.has('motion')
      ? []
      : [{ isSo: motionOf(pane) === word(written.motion), otherwise: STIRRED, isMotion: true }]),
    ...shown.map((text) => ({
      isSo: isShown(pane, text),
      otherwise: 'what it shows is not what was seen',
      isMotion: true,
    })),
  ];
  return whatChanged(facts);
}

export function panesOf({ windows }: SimSession): SimPane[] {
  return windows.flatMap((window) => window.panes);
}

const IN_MODE = 'somebody reads in the pane (copy mode or another mode)';
const STIRRED = 'its output or its programs moved';

function whatChanged(facts: readonly Fact[]): NotDone | null {
  const other = facts.filter(({ isSo }) => !isSo);
  const worst = other.find(({ isMotion }) => !isMotion) ?? other[0];
  if (worst === undefined) return null;
  if (other.some(({ otherwise }) => otherwise === TOO_LATE)) return { state: 'failed', text: TOO_LATE };
  return { state: worst.isMotion ? 'stirred' : 'changed', text: worst.otherwise };
}

function changed(text: string): NotDone {
  return { state: 'changed', text };
}

function inTime({ server }: SimSession, before: number): Fact {
  return { isSo: server.machine.clock.seconds < before, otherwise: TOO_LATE };
}

/** Before this second of tmux's clock a request is carried out; it is computed when that is made. */
export function lastSecond(
  { written, toldAt }: Pick<Stance, 'written' | 'toldAt'>,
  askedAt: number,
  timeoutMs: number,
): number {
  return Number(written.at) + Math.floor((askedAt - toldAt + timeoutMs) / 1000);
}

function people(now: Record<string, string>, written: Stance['written'], aside: Terms['aside']): Fact[] {
  return [
    ...(aside.has('attached')
      ? []
      : [
          { isSo: /^0\/0?$/.test(now.attached ?? ''), otherwise: 'somebody is attached to it' },
          same(now, written, 'lastAttached', 'somebody was attached to it just now'),
        ]),
    same(now, written, 'group', 'it joined or left a group of sessions'),
    ...(aside.has('held') ? [] : [{ isSo: now.held === '1', otherwise: 'it is held' }]),
  ];
}

function same(
  now: Record<string, string>,
  written: Stance['written'],
  name: string,
  otherwise: string,
): Fact {
  return { isSo: now[name] === written[name], otherwise };
}

function peopleOf(session: SimSession): { readonly attached: string } {
  const count = (of: readonly SimSession[]) =>
    [...session.server.clients.values()].filter((one) => of.includes(one.session)).length;
  return { attached: `${count([session])}/${session.group === null ? '' : count(groupOf(session))}` };
}

function groupOf({ server, group }: SimSession): SimSession[] {
  return [...server.sessions.values()].filter((one) => one.group === group);
}

/** Where a pane's program and its output stand. */
function motionOf(pane: SimPane): string {
  const { isDead, screen, window, server, tty, process } = pane;
  const { clock, processes } = server.machine;
  const front = processes.at(tty.front) ?? process;
  const printedMs = screen.printingSinceMs === null ? 0 : clock.ms - screen.printingSinceMs;
  const scrolled = screen.history.length + Math.floor(printedMs / 1000);
  const program = front.comm.replace(/[^A-Za-z0-9_.-]/g, '_');
  return [
    Number(isDead),
    program,
    screen.cursor.x,
    screen.cursor.y,
    Number(screen.isAlternate),
    scrolled,
    server.activityOf(window),
  ].join('/');
}

function isShown({ screen }: SimPane, text: string): boolean {
  const parts = text.match(/[A-Za-z0-9 ./_-]+/g)?.map((part) => part.trim()) ?? [];
  const longest = parts
    .reduce((most, part) => (part.length > most.length ? part : most), '')
    .slice(0, 40)
    .trim();
  return !/[A-Za-z0-9]/.test(longest) || screen.lines.some((line) => line.includes(longest));
}
