import { grouped } from '../../grouped.ts';
import { processKey } from '../../sight/identity.ts';
import type { Roll, SessionEntry } from '../../sight/roll.ts';
import { counted } from '../../text/counted.ts';
import type { FindingParts } from '../finding.ts';
import { shownSessions } from '../session-life.ts';
import { reasonsOf, sessionWord, titleOf } from '../session-words.ts';
import type { DoctorCheck } from './check.ts';

/** Sessions that share windows: what one of them shows lives on in the others when it is closed. */
export const groupedSessions: DoctorCheck = {
  name: 'grouped-sessions',
  group: 'sessions',
  looksAt: 'sessions that keep each other’s windows alive (new-session -t, link-window)',
  examine: ({ roll }) => groupsOf(shownSessions(roll)).map((group) => findingOf(group, roll)),
};

interface Group {
  readonly members: Set<SessionEntry>;
  readonly panes: Set<string>;
}

function groupsOf(entries: readonly SessionEntry[]): Group[] {
  const shown = entries.flatMap((entry) =>
    entry.panes.map(({ paneId }) => ({ entry, place: `${processKey(entry.server)} ${paneId}` })),
  );
  const groups = new Set<Group>();
  for (const [place, holders] of grouped(shown, (one) => one.place)) {
    if (holders.length < 2) continue;
    const members = holders.map(({ entry }) => entry);
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

function findingOf({ members, panes }: Group, roll: Roll): FindingParts {
  const entries = [...members];
  const isCaredFor = entries.some(({ protections }) =>
    protections.every(({ code }) => code !== 'not-managed'),
  );
  const count = counted(panes.size, 'pane');
  return {
    class: 'shared-windows',
    severity: isCaredFor ? 'warning' : 'info',
    text: `${entries.map(titleOf).join(', ')} share ${count}: closing one of them leaves these to the others`,
    evidence: entries.flatMap((entry) => reasonsOf(entry).map((line) => `${titleOf(entry)}: ${line}`)),
    advice: [
      'close those that nobody looks at; the last one takes the windows with it',
      ...entries.map((entry) => `rollcall explain ${sessionWord(entry, roll)}`),
    ],
    sockets: entries.map(({ server }) => server.socketPath),
  };
}
