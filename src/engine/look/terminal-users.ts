import { isEndHook } from '../../core/memory/ended.ts';
import type { Process } from '../../core/sight/process.ts';
import { jobsOfServer } from '../../core/sight/server-jobs.ts';
import { mayUseTerminals, tiedTo } from '../../core/sight/terminal-users.ts';
import type { Evidence, ProcessEvidence, TerminalUser } from '../../core/verdict/evidence.ts';
import { terminalPlace } from '../../core/verdict/whose.ts';
import type { Scene, SessionLook } from './look-at-server.ts';
import { markKey } from './marked-processes.ts';
import type { Parts } from './parts.ts';
import { argvOf } from './terminal-facts.ts';

/** Who uses the terminals of a session's panes without being tied to it, by pane; null where that cannot be told. */
export type TerminalUsers = ReadonlyMap<string, readonly TerminalUser[] | null>;

/**
 * Finds what has a terminal of these sessions open although nothing else ties it to them: a child that left its session and
 * lost its variables still prints there. Dear: what many processes have open is read, once for all sessions.
 */
export function findTerminalUsers(
  looks: readonly SessionLook[],
  { index, marked }: Pick<Scene, 'index' | 'marked'>,
  parts: Pick<Parts, 'processes' | 'naming'>,
): ReadonlyMap<string, TerminalUsers> {
  if (looks.length === 0) return new Map();
  const terminals = looks.flatMap(terminalsOf);
  const oldest = Math.min(...looks.map(({ server }) => server.startTicks));
  // What runs in the terminal of another pane is left to the close itself: agents are many, and have much open.
  const strangers = mayUseTerminals(index, { startTicks: oldest }).filter(
    (process) => terminalPlace(process, index.byPid) !== 'pane',
  );
  const holders = parts.processes.holdersOf([...new Set(terminals.map(({ tty }) => tty))], strangers);
  return new Map(
    looks.map((look) => {
      const tied = tiedTo(
        look.panes.map(({ sighting: { pid, isDead, paneId } }) => ({
          ...{ pid, isDead, server: look.server },
          marked: marked.get(markKey(look.server.pid, paneId)) ?? [],
        })),
        index,
      );
      const users = terminalsOf(look).map(({ paneId, tty }) => {
        const found = holders.byTty.get(tty)?.filter(({ pid }) => !tied.has(pid));
        const isTold = found !== undefined && (found.length > 0 || holders.isComplete);
        return [paneId, isTold ? found.map((process) => userOf(process, parts)) : null] as const;
      });
      return [look.key, withJobs(new Map(users), look, jobsIn(look, index, parts))] as const;
    }),
  );
}

/**
 * What the session's tmux server runs itself and what goes with the session. A program that only reads what panes show ends
 * with them by itself.
 */
function jobsIn(
  { server, panes }: SessionLook,
  index: Scene['index'],
  parts: Pick<Parts, 'processes' | 'naming'>,
): TerminalUser[] {
  const isPiped = panes.some(({ sighting }) => sighting.isPiped);
  if (server.sessions.length > 1 && !isPiped) return [];
  const all = server.sessions.flatMap((session) => session.panes);
  const pipes = all.filter((pane) => pane.isPiped).length;
  const seen = { pids: new Set(all.map(({ pid }) => pid)), pipes };
  return jobsOfServer(index, server, seen, parts.processes.readersAmong)
    .filter((process) => !isEndHook(argvOf(process, parts.processes)))
    .map((process) => ({ ...userOf(process, parts), isJob: true as const }));
}

function withJobs(
  users: Map<string, readonly TerminalUser[] | null>,
  { panes }: SessionLook,
  jobs: readonly TerminalUser[],
): TerminalUsers {
  const [first] = panes;
  if (jobs.length > 0 && first !== undefined) {
    const { paneId } = first.sighting;
    users.set(paneId, [...(users.get(paneId) ?? []), ...jobs]);
  }
  return users;
}

/** The evidence on a session with what was found. */
export function withTerminalUsers(
  evidence: readonly Evidence[],
  users: TerminalUsers | undefined,
): readonly Evidence[] {
  if (users === undefined || users.size === 0) return evidence;
  return evidence.map((piece) => (piece.kind === 'processes' ? withUsers(piece, users) : piece));
}

function withUsers(piece: ProcessEvidence, users: TerminalUsers): ProcessEvidence {
  const found = users.get(piece.paneId);
  return found === undefined ? piece : { ...piece, terminalUsers: found };
}

// A dead pane's terminal is gone, and its name may be another's.
function terminalsOf({ panes }: SessionLook): { readonly paneId: string; readonly tty: string }[] {
  return panes.flatMap(({ sighting: { paneId, tty, isDead } }) =>
    tty === undefined || isDead ? [] : [{ paneId, tty }],
  );
}

function userOf(process: Process, parts: Pick<Parts, 'processes' | 'naming'>): TerminalUser {
  const { name, command } = parts.naming.program(process.comm, argvOf(process, parts.processes));
  return { pid: process.pid, startTicks: process.startTicks, program: name, command };
}
