import { processKey } from '../../identity.ts';
import type { Process } from '../../process.ts';
import type { DoctorFacts } from '../facts.ts';
import type { Finding } from '../finding.ts';
import type { DoctorCheck } from './check.ts';
import { blindness } from './processes-listed.ts';

/** Processes that have ended and that their parent has not taken notice of. They hold a number and nothing else. */
export const zombies: DoctorCheck = {
  name: 'zombies',
  group: 'processes',
  looksAt: 'ended processes below tmux servers, panes and agents that nobody has taken notice of',
  examine: (facts) => blindness(facts) ?? findingsOn(facts),
};

function findingsOn(facts: DoctorFacts): Finding[] {
  const dead = new Map<number, Process[]>();
  for (const process of facts.table.byPid.values()) {
    if (process.state === 'Z') dead.set(process.ppid, [...(dead.get(process.ppid) ?? []), process]);
  }
  if (dead.size === 0) return [];
  const ours = parentsIn(facts);
  return [...dead].flatMap(([pid, children]) => {
    const parent = facts.table.byPid.get(pid);
    return parent !== undefined && ours.has(processKey(parent)) ? [findingOn(parent, children, facts)] : [];
  });
}

function parentsIn({ roll, table, processes }: DoctorFacts): ReadonlySet<string> {
  const inPanes = roll.sessions.flatMap(({ evidence }) =>
    evidence.flatMap((piece) => (piece.kind === 'processes' ? piece.processes : [])),
  );
  const servers = [...processes.serverPids].flatMap((pid) => table.byPid.get(pid) ?? []);
  const strangers = processes.strangers
    .filter(({ uid }) => uid === processes.ownUid)
    .map(({ process }) => process);
  return new Set([...inPanes, ...servers, ...strangers].map(processKey));
}

// tmux up to 3.5 with utempter misses the end of some panes; asked to look again, it notices.
function findingOn(parent: Process, children: readonly Process[], { processes }: DoctorFacts): Finding {
  const { pid, comm } = parent;
  const isServer = processes.serverPids.has(pid);
  const amount = children.length === 1 ? '1 ended process' : `${children.length} ended processes`;
  return {
    class: 'zombie',
    severity: 'info',
    text: `${comm}, pid ${pid}, has not taken notice of ${amount}`,
    evidence: children.slice(0, 10).map((child) => `pid ${child.pid} (${child.comm})`),
    remedy: null,
    advice: [
      isServer
        ? `have tmux look again: kill -CHLD ${pid}`
        : 'they go with their parent; they hold no memory and do no harm',
    ],
    pid,
  };
}
