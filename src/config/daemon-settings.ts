import { SETTLE_MODES, type SettleMode } from '../core/settle/standing.ts';
import { count } from './measure-kinds.ts';
import { setting, type ValuesOf } from './setting.ts';
import { oneOf, onOff } from './word-kinds.ts';

/** How the daemon is reached and woken. It concerns the machine, so a project has no say. */
export const DAEMON_SETTINGS = {
  'daemon.http': setting(onOff, {
    default: 'on',
    means: 'Whether the daemon listens on a loopback port too; its Unix socket is there in any case.',
    why: 'Browsers and scrapers reach no Unix socket; the port answers only to who can read the token file.',
  }),
  'daemon.port': setting(count(0, 65535), {
    default: 7433,
    means:
      'Loopback port of the daemon; where another program has it, or with 0, the system chooses a free one.',
    why: 'A fixed port can be written into a scraper’s list; no known program uses this one.',
  }),
  'daemon.tmuxHooks': setting(onOff, {
    default: 'off',
    means:
      'Whether the daemon sets hooks of its own in tmux servers while it runs, so that it hears of new, renamed and closed sessions at once.',
    why: 'A server belongs to its user: nothing is set in it unasked. Without hooks the next round sees the same a little later.',
  }),
  'daemon.settle': setting(oneOf('settle', SETTLE_MODES, '"on", "shadow" or "off"'), {
    default: 'on',
    means:
      'Whether the daemon closes sessions whose work was declared complete, once their role says so and every check is met; `shadow` only tells of them.',
    why: 'A declared completion and a role are the user’s own word: nothing is guessed, and each close leaves a receipt.',
  }),
};

export interface DaemonSettings {
  readonly isHttpOn: boolean;
  readonly port: number;
  readonly hasTmuxHooks: boolean;
  readonly settle: SettleMode;
}

/** Gives each value its place. */
export function toDaemonSettings(values: ValuesOf<typeof DAEMON_SETTINGS>): DaemonSettings {
  return {
    isHttpOn: values['daemon.http'],
    port: values['daemon.port'],
    hasTmuxHooks: values['daemon.tmuxHooks'],
    settle: values['daemon.settle'],
  };
}
