import { PRESSING } from '../core/pressure/tier.ts';
import { REAP_WAYS } from '../core/reaper/way.ts';
import { RESTORE_MODES } from '../core/restore/offer.ts';
import { SETTLE_MODES } from '../core/settle/standing.ts';
import { bytes, count, duration } from './measure-kinds.ts';
import { setting } from './setting.ts';
import { oneOf, onOff, patterns } from './word-kinds.ts';

/** What concerns the machine, and all sessions on it: a project has no say. */
export const MACHINE_SETTINGS = {
  'history.maxBytes': setting(bytes('4MiB', '4GiB'), {
    default: '64MiB',
    means:
      'Room for the evidence that the daemon keeps for `reap report` and `backtest`; the oldest goes first.',
    why: 'Two weeks of two hundred sessions fit into it, and nobody misses it on a disk.',
  }),
  'history.keepFor': setting(duration('1h', '366d'), {
    default: '14d',
    means: 'How long that evidence is kept at most.',
    why: 'Two working weeks show what is used again after a weekend; what is older says little about a policy.',
  }),
  'archive.keepConversations': setting(bytes('0B', '1024GiB'), {
    default: '2GiB',
    means:
      'Room for copies of the conversations of closed sessions, compressed; the oldest go first. With 0B none are kept.',
    why: 'Agents delete conversations after a month or so. A conversation takes about a megabyte, so this holds those of years.',
  }),
  'reaper.longIdleFrom': setting(oneOf('tier', PRESSING, '"moderate" or "critical"'), {
    default: 'critical',
    means: 'The pressure from which an idle agent may go although it has not rested for `idleAfter`.',
    why: 'Whoever comes back to it has to resume it: worth that only where something would be killed otherwise.',
  }),
  'reaper.idleAfter': setting(duration('1s', '30d'), {
    default: '15m',
    means: 'Rest that an idle agent must have before pressure may take it.',
    why: 'Whoever reads a long answer or fetches a coffee is back by then.',
  }),
  'reaper.confirm': setting(duration('1s', '1h'), {
    default: '2m',
    means:
      'Awake time over which nothing at all may change in a session, its screen byte for byte, before it is chosen.',
    why: 'Timers, retries and slow models show themselves within it; after a restart it begins afresh.',
  }),
  'reaper.grace': setting(duration('1s', '1h'), {
    default: '1m',
    means: 'Awake time between the choice and the close; whatever happens in it spares the session.',
    why: 'Time for whoever hears of it to attach or to hold it, and short enough to help before the kernel does.',
  }),
  'reaper.settle': setting(duration('1s', '1h'), {
    default: '20s',
    means: 'Awake time after a close before the next session is chosen, over all rollcalls of this user.',
    why: 'Stalls are averaged over ten seconds: earlier nobody can tell whether the last close was enough.',
  }),
  'reaper.perHour': setting(count(1, 1000), {
    default: 6,
    means: 'How many sessions may be closed within an hour, by all rollcalls of this user together.',
    why: 'Enough to bring a pile-up down, and few enough that a mistake is noticed before it is everywhere.',
  }),
  'reaper.prefer': setting(oneOf('way', REAP_WAYS, '"close" or "hibernate"'), {
    default: 'hibernate',
    means:
      'Whether an idle agent sleeps in its session, or its session is closed. What was declared complete is closed in any case, and so is what cannot sleep.',
    why: 'Both give the same memory back; what sleeps stands where it stood, and wakes on Enter.',
  }),
  'wake.onAttach': setting(onOff, {
    default: 'off',
    means:
      'Whether an agent that is put to sleep from now on wakes as soon as somebody attaches to its session or switches to it.',
    why: 'Whoever passes through a session on the way to another would wake it, and take the memory back.',
  }),
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
      'Whether the daemon closes sessions whose work was declared complete, once their role says so and every check is met; `shadow` only reports them.',
    why: 'A declared completion and a role are the user’s own word: nothing is guessed, and each close leaves a receipt.',
  }),
  'restore.onBoot': setting(oneOf('restore', RESTORE_MODES, '"ask", "asleep" or "off"'), {
    default: 'ask',
    means:
      'What the daemon does when it finds sessions that were lost with their tmux server or with a reboot: `ask` offers once to restore them; `asleep` does the same, and after a reboot it brings back those with an agent, asleep. What it offered before the reboot it leaves to you.',
    why: 'An offer starts nothing. Fifty agents that start by themselves may take the memory that the machine went down for.',
  }),
  'doctor.orphanPatterns': setting(patterns(256), {
    default: [],
    means:
      'Sessions with such a name belong to somebody, and `rollcall doctor` calls them orphaned when nobody owns them. `GLOB=OWNER` names whose they are: a folder (an absolute path) or `pid:PID.START`; without it they are orphaned when they name no owner.',
    why: 'Nothing is an orphan by its name alone: a name with a hyphen in it is a name.',
  }),
  'doctor.staleHoldAfter': setting(duration('1d', '3650d'), {
    default: '30d',
    means: 'A hold that is older is reported by `rollcall doctor`; it is never taken back for that.',
    why: 'Whoever held a session for a release or a holiday is back by then.',
  }),
};
