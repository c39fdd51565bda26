import { grouped } from '../../grouped.ts';
import type { SessionEntry } from '../../sight/roll.ts';
import { visible } from '../../text/visible.ts';
import type { FindingParts, Severity } from '../finding.ts';
import { shownSessions } from '../session-life.ts';
import { titleOf } from '../session-words.ts';
import type { DoctorCheck } from './check.ts';

/** Agents that may write over each other: on one conversation, or in one work tree. */
export const duplicates: DoctorCheck = {
  name: 'duplicates',
  group: 'sessions',
  looksAt: 'agents that share a conversation or a work tree',
  examine: ({ roll }) => {
    const seats = seatsOf(shownSessions(roll));
    const talking = together(seats, ({ conversation }) => conversation);
    const told = new Set(talking.map(namesOf));
    const working = together(seats, ({ folder }) => folder).filter((group) => !told.has(namesOf(group)));
    return [
      ...talking.map((group) => findingOf(group, 'one-conversation', 'warning')),
      ...working.map((group) => findingOf(group, 'one-work-tree', 'info')),
    ];
  },
};

/** An agent in a pane. */
interface Seat {
  readonly entry: SessionEntry;
  readonly paneId: string;
  readonly pid: number;
  readonly kind: string;
  /** With the kind of agent, whose ids they are. */
  readonly conversation: string | null;
  readonly folder: string | null;
}

// A pane that several grouped sessions show is one seat.
function seatsOf(entries: readonly SessionEntry[]): Seat[] {
  const seats = new Map<string, Seat>();
  for (const entry of entries) {
    for (const { paneId, cwd } of entry.panes) {
      const place = `${entry.server.pid}.${entry.server.startTicks} ${paneId}`;
      const seat = seatIn(entry, paneId, cwd);
      if (seat !== null) seats.set(place, seat);
    }
  }
  return [...seats.values()];
}

function seatIn(entry: SessionEntry, paneId: string, cwd: string | null): Seat | null {
  const pieces = entry.evidence.filter((piece) => 'paneId' in piece && piece.paneId === paneId);
  const processes = pieces.flatMap((piece) => (piece.kind === 'processes' ? piece.processes : []));
  const agent = processes.find(({ role, relation }) => role === 'agent' && relation !== 'outside');
  if (agent === undefined) return null;
  const heard = pieces.find((piece) => piece.kind === 'agent');
  const git = pieces.find((piece) => piece.kind === 'git')?.facts;
  const kind = heard?.agentKind ?? agent.program;
  return {
    ...{ entry, paneId, pid: agent.pid, kind },
    conversation: heard?.conversation === undefined ? null : `${kind} ${heard.conversation}`,
    folder: git?.state === 'repository' ? git.root : cwd,
  };
}

interface Group {
  readonly shared: string;
  readonly seats: readonly Seat[];
}

function together(seats: readonly Seat[], of: (seat: Seat) => string | null): Group[] {
  return [...grouped(seats, of)].flatMap(([shared, group]) =>
    shared !== null && group.length > 1 ? [{ shared, seats: group }] : [],
  );
}

function namesOf({ seats }: Group): string {
  return seats.map(({ entry, paneId }) => `${entry.key} ${paneId}`).join(' ');
}

function findingOf({ shared, seats }: Group, kind: string, severity: Severity): FindingParts {
  const names = [...new Set(seats.map(({ entry }) => titleOf(entry)))].join(', ');
  const what = kind === 'one-conversation' ? 'the conversation' : 'the folder';
  return {
    class: kind,
    severity,
    text: `${seats.length} agents share ${what} ${visible(shared, 200)}: ${names}`,
    evidence: seats.map(
      (seat) => `${titleOf(seat.entry)} ${seat.paneId}: ${visible(seat.kind, 40)}, pid ${seat.pid}`,
    ),
    advice: ['what one of them writes, another may overwrite: give each a work tree of its own'],
    sockets: seats.map(({ entry }) => entry.server.socketPath),
  };
}
