import type { SessionEntry } from '../../sight/roll.ts';
import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import { serverName, titleOf, tmuxAt } from '../session-words.ts';
import type { ServerSettings } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

/** Options that end sessions because nobody looks at them. Only told: a server belongs to its user. */
export const tmuxOptions: DoctorCheck = {
  name: 'tmux-options',
  group: 'machine',
  looksAt: 'destroy-unattached and exit-unattached of every tmux server',
  examine: ({ machine, roll }) =>
    machine.settings.flatMap((one) =>
      (one.state === 'read' ? dangersOf(one, roll.sessions) : [unread(one)]).map(on(one)),
    ),
};

function on({ socketPath }: ServerSettings): (finding: FindingParts) => FindingParts {
  return (finding) => ({ ...finding, sockets: [socketPath] });
}

type Read = Extract<ServerSettings, { state: 'read' }>;

function dangersOf(server: Read, sessions: readonly SessionEntry[]): FindingParts[] {
  const { options, destroyed } = server;
  const ofAll = options['destroy-unattached'] ?? 'off';
  const own = destroyed.filter(({ value }) => value !== ofAll);
  return [
    ...(options['exit-unattached'] === 'on' ? [exits(server)] : []),
    ...(ofAll === 'off' ? [] : [destroysAll(server, ofAll)]),
    ...own.map((one) => destroysOne(server, one, sessions)),
  ];
}

function exits(server: Read): FindingParts {
  return {
    class: 'exit-unattached',
    severity: 'error',
    text: `${serverName(server)}: the server and every agent in it end when the last client detaches`,
    evidence: ['exit-unattached is on'],
    advice: [`${tmuxAt(server)} set-option -s exit-unattached off`, 'and take it out of tmux.conf'],
  };
}

function destroysAll(server: Read, value: string): FindingParts {
  return {
    class: 'destroy-unattached',
    severity: 'error',
    text: `${serverName(server)}: sessions are destroyed, with the agents in them, when their last client detaches`,
    evidence: [`destroy-unattached is ${visible(value, 40)}`],
    advice: [`${tmuxAt(server)} set-option -g destroy-unattached off`, 'and take it out of tmux.conf'],
  };
}

function destroysOne(
  server: Read,
  { sessionId, value }: Read['destroyed'][number],
  sessions: readonly SessionEntry[],
): FindingParts {
  const entry = sessions.find((one) => one.sessionId === sessionId && one.server.pid === server.pid);
  const name = entry === undefined ? `${sessionId} (${serverName(server)})` : titleOf(entry);
  return {
    class: 'destroy-unattached',
    severity: 'error',
    text: `${name} is destroyed, with what runs in it, when its last client detaches`,
    evidence: [`destroy-unattached of ${sessionId} is ${visible(value, 40)}`],
    advice: [`${tmuxAt(server)} set-option -t '${sessionId}:' destroy-unattached off`],
    ...(entry !== undefined && { session: entry.key }),
  };
}

function unread(server: Extract<ServerSettings, { state: 'failed' }>): FindingParts {
  return {
    class: 'not-read',
    severity: 'warning',
    text: `${serverName(server)}: its options could not be read: ${visible(server.text, 200)}`,
    advice: [`ask it: ${tmuxAt(server)} show-options -g`],
    isUnseen: true,
  };
}
