import type { Roll, SessionEntry } from '../../sight/roll.ts';
import { counted } from '../../text/counted.ts';
import type { Finding } from '../finding.ts';
import { shownSessions } from '../session-life.ts';
import { reasonsOf, sessionWord, titleOf } from '../session-words.ts';
import type { DoctorCheck } from './check.ts';

/** Sessions that share windows: what one of them shows lives on in the others when it is closed. */
export const groupedSessions: DoctorCheck = {
  name: 'grouped-sessions',
  group: 'sessions',
  scope: 'server',
  looksAt: 'sessions that keep each other’s windows alive (new-session -t, link-window)',
  examine: ({ roll }) => groupsOf(shownSessions(roll)).map((group) => findingOf(group, roll)),
};

interface Group {
  readonly members: Set<SessionEntry>;
  readonly panes: Set<string>;
}

function groupsOf(entries: readonly SessionEntry[]): Group[] {
  const holders = new Map<string, SessionEntry[]>();
  for (const entry of entries) {
    for (const { paneId } of entry.panes) {
      const place = `${entry.server.pid}.${entry.server.startTicks} ${paneId}`;
      holders.set(place, [...(holders.get(place) ?? []), entry]);
    }
  }
  const groups = new Set<Group>();
  for (const [place, members] of holders) {
    if (members.length < 2) continue;
    // Groups that this pane ties together become one.
    const tied = [...groups].filter((group) => members.some((one) => group.members.has(one)));
    for (const group of tied) groups.delete(group);
    groups.add({
      members: new Set([...tied.flatMap((group) => [...group.members]), ...members]),
      panes: new Set([...tied.flatMap((group) => [...group.panes]), place]),
    });
  }
  return [...groups];
}

function findingOf({ members, panes }: Group, roll: Roll): Finding {
  const entries = [...members];
  const isCaredFor = entries.some(({ protections }) => !protections.some(isUnmanaged));
  const count = counted(panes.size, 'pane');
  return {
    class: 'shared-windows',
    severity: isCaredFor ? 'warning' : 'info',
    text: `${entries.map(titleOf).join(', ')} share ${count}: closing one of them leaves these to the others`,
    evidence: entries.flatMap((entry) => reasonsOf(entry).map((line) => `${titleOf(entry)}: ${line}`)),
    remedy: null,
    advice: [
      'close those that nobody looks at; the last one takes the windows with it',
      ...entries.map((entry) => `rollcall explain ${sessionWord(entry, roll)}`),
    ],
    sockets: entries.map(({ server }) => server.socketPath),
  };
}

function isUnmanaged({ code }: { readonly code: string }): boolean {
  return code === 'not-managed';
}
