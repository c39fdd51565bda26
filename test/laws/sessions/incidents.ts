import { renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { until } from '../../support/until.ts';
import { agentPid, type Member, target } from './member.ts';
import type { Room } from './room.ts';
import { attach, DRAFT } from './set-up.ts';
import type { Spec } from './spec.ts';

/** Somebody who came in the middle of a deed, as far as it was still there. */
export interface Happened {
  readonly what: Spec['incident'];
  /** Epoch ms, when it was done and could be seen; null where it came too late. */
  readonly doneAt: number | null;
  /** The new place of its pane, where that was moved. */
  readonly movedTo?: string;
  /** Processes that it began and that have to live on. */
  readonly begun?: readonly number[];
}

/** What counts as touching the session once it has happened. The others only must not confuse rollcall. */
export const KEEPS: ReadonlySet<Spec['incident']> = new Set([
  ...(['draft', 'turn', 'hold', 'attach', 'copy-mode', 'split', 'command', 'move'] as const),
]);

/** How long somebody looks whether what they did shows. */
const SHOWS_MS = 3000;

/** Does it, and tells whether the session was still there for it. */
export async function happen(room: Room, member: Member): Promise<Happened> {
  const { incident: what } = member.spec;
  const late: Happened = { what, doneAt: null };
  const done = (more: Partial<Happened> = {}): Happened => ({ what, doneAt: Date.now(), ...more });
  const { label, paneId, sessionId, file, conversation } = member;
  const tmux = (...command: string[]) => room.tryTmux(label, command);
  const shows = (text: string) => isSoon(async () => (await screen(room, member)).includes(text));
  switch (what) {
    case 'none':
      return late;
    case 'draft':
      if ((await tmux('send-keys', '-t', paneId, '-l', DRAFT)) === null) return late;
      if (!(await shows(DRAFT))) return late;
      // As an agent does that sees what is in its own input.
      writeFileSync(`${file}.told`, `${agentPid(file)} idle draft ${conversation}\n`);
      renameSync(`${file}.told`, file);
      return done();
    case 'turn':
      if (!signalled(agentPid(file), 'SIGUSR1')) return late;
      return (await shows('Working')) ? done() : late;
    case 'ends':
      return signalled(agentPid(file), 'SIGUSR2') ? done() : late;
    case 'hold': {
      const { code } = await room.ask('hold', { session: member.key, reason: 'wait' });
      return code === 'done' ? done() : late;
    }
    case 'attach':
      return (await attach(room, member)) ? done() : late;
    case 'rename':
      return (await tmux('rename-session', '-t', target(member), `away-${conversation}`)) === null
        ? late
        : done();
    case 'move': {
      const move = ['break-pane', '-d', '-P', '-F', '#{session_id}', '-s', paneId, '-t', 'innocent:'];
      const movedTo = await tmux(...move);
      return movedTo === null ? late : done({ movedTo });
    }
    case 'split': {
      const split = [
        'split-window',
        '-d',
        '-P',
        '-F',
        '#{pane_pid}',
        '-t',
        target(member),
        'sleep',
        '100000',
      ];
      const pid = await tmux(...split);
      return pid === null ? late : done({ begun: [Number(pid)] });
    }
    case 'copy-mode':
      return (await tmux('copy-mode', '-t', paneId)) === null ||
        (await tmux('has-session', '-t', sessionId)) === null
        ? late
        : done();
    case 'command': {
      // Copy mode takes the first letter for a key: it would ask what to search for, and wait for ever.
      if (member.spec.people === 'reading') return late;
      // Work that an agent, or a shell behind it, begins at this word.
      const words = `${dirname(process.env.ROLLCALL_SCRIPTED_AGENT ?? '')}/work ${conversation}-work`;
      if ((await tmux('send-keys', '-t', paneId, words, 'Enter')) === null) return late;
      return (await shows('Working')) ? done() : late;
    }
  }
}

// Number 0 would be everybody who plays.
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return pid > 0 && process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function screen(room: Room, { label, paneId }: Member): Promise<string> {
  return (await room.tryTmux(label, ['capture-pane', '-p', '-t', paneId])) ?? '';
}

async function isSoon(holds: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + SHOWS_MS;
  return until('it shows, or does not', async () => (await holds()) || performance.now() > end).then(holds);
}
