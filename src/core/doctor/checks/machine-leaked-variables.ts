import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import { serverName, tmuxAt } from '../session-words.ts';
import type { ServerSettings } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

/** Marks of an agent or a session that a server gives to every new pane: what starts there is taken for its child. */
export const leakedVariables: DoctorCheck = {
  name: 'leaked-variables',
  group: 'machine',
  looksAt: 'marks of agents and of rollcall’s own sessions in the global environment of every tmux server',
  examine: ({ machine }) => machine.settings.flatMap(leakOf),
};

function leakOf(server: ServerSettings): FindingParts[] {
  const name = serverName(server);
  const sockets = [server.socketPath];
  const leaked = server.state === 'read' ? server.leaked : null;
  if (leaked === null) {
    const text = `${name}: its global environment could not be read`;
    const advice = [`ask it: ${tmuxAt(server)} show-environment -g`];
    return [{ class: 'not-read', severity: 'warning', text, advice, sockets, isUnseen: true }];
  }
  if (leaked.length === 0) return [];
  const names = leaked.map((one) => visible(one, 80));
  return [
    {
      class: 'leaked',
      severity: 'warning',
      text: `${name} hands the marks of whoever started it to every new pane: ${names.join(', ')}`,
      evidence: [
        'they are in its global environment: it was most likely started from inside an agent or a session',
      ],
      advice: [
        ...names.map((one) => `${tmuxAt(server)} set-environment -gu ${one}`),
        'sessions that rollcall starts are kept from it in any case',
      ],
      sockets,
    },
  ];
}
