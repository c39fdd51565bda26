import { SETTLE_MODES, type SettleMode } from '../core/settle/mode.ts';

/** How the daemon is reached and woken. It concerns the machine, so a project has no say. */
export const DAEMON_SETTINGS = [
  {
    key: 'daemon.http',
    kind: 'switch',
    default: 1,
    min: 0,
    max: 1,
    projectMay: 'nothing',
    means: 'Whether the daemon listens on a loopback port too; its Unix socket is there in any case.',
    why: 'Browsers and scrapers reach no Unix socket; the port answers only to who can read the token file.',
  },
  {
    key: 'daemon.port',
    kind: 'count',
    default: 7433,
    min: 0,
    max: 65_535,
    projectMay: 'nothing',
    means:
      'Loopback port of the daemon; where another program has it, or with 0, the system chooses a free one.',
    why: 'A fixed port can be written into a scraper’s list; no known program uses this one.',
  },
  {
    key: 'daemon.tmuxHooks',
    kind: 'switch',
    default: 0,
    min: 0,
    max: 1,
    projectMay: 'nothing',
    means:
      'Whether the daemon sets hooks of its own in tmux servers while it runs, so that it hears of new, renamed and closed sessions at once.',
    why: 'A server belongs to its user: nothing is set in it unasked. Without hooks the next round sees the same a little later.',
  },
  {
    key: 'daemon.settle',
    kind: 'settle',
    default: SETTLE_MODES.indexOf('on'),
    min: 0,
    max: SETTLE_MODES.length - 1,
    projectMay: 'nothing',
    means:
      'Whether the daemon closes sessions whose work was declared complete, once their role says so and every check is met; `shadow` only tells of them.',
    why: 'A declared completion and a role are the user’s own word: nothing is guessed, and each close leaves a receipt.',
  },
] as const;

type DaemonValues = { readonly [S in (typeof DAEMON_SETTINGS)[number] as S['key']]: number };

export interface DaemonSettings {
  readonly isHttpOn: boolean;
  readonly port: number;
  readonly hasTmuxHooks: boolean;
  readonly settle: SettleMode;
}

/** Gives each value its place. */
export function toDaemonSettings(values: DaemonValues): DaemonSettings {
  return {
    isHttpOn: values['daemon.http'] === 1,
    port: values['daemon.port'],
    hasTmuxHooks: values['daemon.tmuxHooks'] === 1,
    settle: SETTLE_MODES[values['daemon.settle']] ?? 'off',
  };
}
