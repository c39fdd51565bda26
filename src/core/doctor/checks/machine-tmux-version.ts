import type { Roll } from '../../sight/roll.ts';
import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import type { DoctorCheck } from './check.ts';

/** Known faults of the tmux versions that run here. */
export const tmuxVersion: DoctorCheck = {
  name: 'tmux-version',
  group: 'machine',
  looksAt: 'the version of every tmux server, and its known faults',
  examine: ({ roll }) => roll.servers.flatMap((server) => faultsOf(server, roll)),
};

type Server = Roll['servers'][number];

const OLDEST: TmuxVersion = { major: 3, minor: 0 };
/** SIGCHLD is no longer swallowed by the utempter helper. */
const KEEPS_STATUS: TmuxVersion = { major: 3, minor: 6 };
/** A window change no longer reaches clients of a session that is gone. */
const SAFE_CONTROL: TmuxVersion = { major: 3, minor: 8 };

function faultsOf(server: Server, roll: Roll): FindingParts[] {
  const shown = `${visible(server.label, 40)}: tmux ${visible(server.version, 40)}`;
  const version = parseTmuxVersion(server.version);
  const base = {
    evidence: [`socket ${visible(server.socketPath, 200)}`],
    sockets: [server.socketPath],
  } as const;
  if (version === null) {
    const text = `${shown} has no number by which its faults are known`;
    return [{ ...base, class: 'version-unknown', severity: 'info', text, advice: [] }];
  }
  const isOld = isBefore(version, OLDEST);
  return [
    ...(isOld ? [tooOld(base, shown)] : []),
    ...(isBefore(version, SAFE_CONTROL) ? [controlCrash(base, shown, controlClients(server, roll))] : []),
    ...(isBefore(version, KEEPS_STATUS) ? [lostStatus(base, shown)] : []),
  ];
}

type Base = Pick<FindingParts, 'remedy' | 'evidence' | 'sockets'>;

function tooOld(base: Base, shown: string): FindingParts {
  const text = `${shown} is older than any that rollcall knows; 3.0 is the least`;
  const advice = ['install a later tmux; running servers keep their version until they end'];
  return { ...base, class: 'too-old', severity: 'warning', text, advice };
}

// Up to 3.7c a control client that is attached while a session's current window changes and the session ends takes the
// whole server with it.
function controlCrash(base: Base, shown: string, clients: number): FindingParts {
  const isAtRisk = clients > 0;
  const who = `${clients} attached now`;
  return {
    ...base,
    class: 'control-mode-crash',
    severity: isAtRisk ? 'warning' : 'info',
    text: `${shown} can crash with all its sessions while a control-mode client is attached${isAtRisk ? `: ${who}` : ''}`,
    advice: ['do not leave control-mode clients (tmux -C, iTerm2) attached; rollcall itself uses none'],
  };
}

function lostStatus(base: Base, shown: string): FindingParts {
  return {
    ...base,
    class: 'lost-exit-status',
    severity: 'info',
    text: `${shown} can miss how a program ended (builds with utempter, up to 3.5)`,
    advice: ['rollcall wakes the server before it relies on an exit status; others read an empty one'],
  };
}

function controlClients(server: Server, { sessions }: Roll): number {
  const here = sessions.filter((one) => one.server.socketPath === server.socketPath);
  const clients = here
    .flatMap(({ evidence }) => evidence.filter((piece) => piece.kind === 'people'))
    .flatMap((people) => people.clients);
  // Of grouped sessions each shows the clients of all.
  return new Set(clients.filter(({ isControl }) => isControl).map(({ pid }) => pid)).size;
}

/** A tmux version as far as it can be compared: `3.3a` is 3, 3; `next-3.8` is what becomes 3.8. */
export interface TmuxVersion {
  readonly major: number;
  readonly minor: number;
}

/** Null for what has no number of its own, such as `master` or the one of OpenBSD. */
export function parseTmuxVersion(version: string): TmuxVersion | null {
  const match = /^(?:next-)?(\d{1,3})\.(\d{1,3})(?:[a-z]|-rc\d*)?$/.exec(version);
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) };
}

/** Whether a version came before another. */
export function isBefore(version: TmuxVersion, other: TmuxVersion): boolean {
  return version.major < other.major || (version.major === other.major && version.minor < other.minor);
}
