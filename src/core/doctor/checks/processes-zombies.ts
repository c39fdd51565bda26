import { grouped } from '../../grouped.ts';
import { processKey } from '../../sight/identity.ts';
import { commonName, type Process } from '../../sight/process.ts';
import { counted } from '../../text/counted.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import type { DoctorCheck } from './check.ts';
import { blindness } from './processes-listed.ts';

/** Processes that have ended and that their parent has not taken notice of. They hold a number and nothing else. */
export const zombies: DoctorCheck = {
  name: 'zombies',
  group: 'processes',
  looksAt: 'ended processes below tmux servers, panes and agents that nobody has taken notice of',
  examine: (facts) => blindness(facts) ?? findingsOn(facts),
};

function findingsOn(facts: DoctorFacts): FindingParts[] {
  const dead = [...facts.table.byPid.values()].filter(({ state }) => state === 'Z');
  if (dead.length === 0) return [];
  const ours = parentsIn(facts);
  return [...grouped(dead, ({ ppid }) => ppid)].flatMap(([pid, children]) => {
    const parent = facts.table.byPid.get(pid);
    const sockets = parent === undefined ? undefined : ours.get(processKey(parent));
    return parent === undefined || sockets === undefined ? [] : [findingOn(parent, children, facts, sockets)];
  });
}

/** This user's parents by pid and start mark, with the socket of the server that each belongs to, if any. */
function parentsIn({ roll, table, processes }: DoctorFacts): ReadonlyMap<string, readonly string[]> {
  const strangers = processes.strangers
    .filter(({ uid }) => uid === processes.ownUid)
    .map(({ process, marks }) => [processKey(process), marks?.pane ? [marks.pane.socketPath] : []] as const);
  const servers = [...processes.ownServerPids].flatMap((pid) => {
    const process = table.byPid.get(pid);
    const sockets = roll.servers.flatMap((one) => (one.pid === pid ? one.socketPath : []));
    return process === undefined ? [] : [[processKey(process), sockets] as const];
  });
  const inPanes = roll.sessions.flatMap(({ evidence, server }) =>
    evidence
      .flatMap((piece) => (piece.kind === 'processes' ? piece.processes : []))
      .map((note) => [processKey(note), [server.socketPath]] as const),
  );
  return new Map<string, readonly string[]>([...strangers, ...servers, ...inPanes]);
}

// tmux up to 3.5 with utempter misses the end of some panes; asked to look again, it notices.
function findingOn(
  parent: Process,
  children: readonly Process[],
  { processes }: DoctorFacts,
  sockets: readonly string[],
): FindingParts {
  const { pid } = parent;
  const isServer = processes.serverPids.has(pid);
  const amount = counted(children.length, 'ended process', 'ended processes');
  return {
    class: 'zombie',
    severity: 'info',
    text: `${commonName(parent)}, pid ${pid}, has not taken notice of ${amount}`,
    evidence: children.slice(0, 10).map((child) => `pid ${child.pid} (${commonName(child)})`),
    advice: [
      isServer
        ? `have tmux look again: kill -CHLD ${pid}`
        : 'they go with their parent; they hold no memory and do no harm',
    ],
    ...{ pid, sockets },
  };
}
