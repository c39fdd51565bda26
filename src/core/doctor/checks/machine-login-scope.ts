import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import { serverName } from '../session-words.ts';
import type { LoginSighting, ServerScope } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

/** Servers that end, with everything in them, when their user logs out. */
export const loginScope: DoctorCheck = {
  name: 'login-scope',
  group: 'machine',
  looksAt: 'in which login each tmux server was started, KillUserProcesses and lingering',
  examine: ({ machine: { login } }) => login.servers.flatMap((server) => fateOf(server, login)),
};

const START_OUTSIDE = 'start the server outside of the login: systemd-run --user --scope tmux new-session -d';

function fateOf(server: ServerScope, login: LoginSighting): FindingParts[] {
  const linger = `keep the user’s manager after logout: loginctl enable-linger ${visible(login.user, 60)}`;
  const base = {
    evidence: [
      `pid ${server.pid} stands in ${visible(server.unit, 100)}`,
      ...(login.source === null ? [] : [`KillUserProcesses: ${visible(login.source, 200)}`]),
    ],
    pid: server.pid,
    sockets: [server.socketPath],
  };
  const name = serverName(server);
  if (server.kind === 'login' && login.endsAtLogout === true) {
    const text = `${name} ends, with every session in it, when the login ends that it was started in`;
    return [{ ...base, class: 'ends-at-logout', severity: 'error', text, advice: [START_OUTSIDE, linger] }];
  }
  if (server.kind === 'login' && login.endsAtLogout === null) {
    const text = `${name} was started in a login, and no file says whether a logout ends it`;
    const ask =
      'see what holds: busctl get-property org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager KillUserProcesses';
    return [{ ...base, class: 'may-end-at-logout', severity: 'info', text, advice: [ask, START_OUTSIDE] }];
  }
  if (server.kind === 'user' && login.lingers === false) {
    const text = `${name} ends, with every session in it, when ${visible(login.user, 60)} logs out everywhere`;
    return [{ ...base, class: 'ends-with-last-login', severity: 'warning', text, advice: [linger] }];
  }
  return [];
}
