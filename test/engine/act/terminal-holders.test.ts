import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closingPanes } from '../../../src/core/close/closing-pane.ts';
import { terminalHolders, terminalInUse } from '../../../src/engine/act/close/terminal-holders.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { RealProcesses } from '../../adapters/proc/real-processes.ts';
import { toldPid } from '../../support/told-pid.ts';
import { until } from '../../support/until.ts';
import { ClosingRoom, lives, SHELL } from './closing-room.ts';

const NOBODY = { isForced: false, isListed: () => false };

describe('a process that only its terminal ties to a pane', () => {
  let room: ClosingRoom;
  let hands: Hands;
  let strays: RealProcesses;
  beforeEach(async () => {
    room = new ClosingRoom();
    hands = await room.hands();
    strays = new RealProcesses();
  });
  afterEach(async () => {
    await strays.endAll();
    await room.leave();
  });

  /** An agent that has left, and before it a worker that left its session and lost its variables; the worker's pid. */
  async function leftover(name: string, how = ''): Promise<number> {
    const file = join(room.tmux.folder, `${name}.pid`);
    const worker = `setsid -f env -i sh -c 'echo $$ > ${file}; exec sleep 1000' ${how}; `;
    await room.agent(name, 'leaves', SHELL, worker);
    const pid = await toldPid(file);
    strays.own(pid);
    await until('it works', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'));
    await room.tmux.tmux('send-keys', '-t', `=${name}:`, '/exit', 'Enter');
    // A shell that is not there yet may be given something, for all that anybody can tell.
    const screen = () => room.tmux.tmux('capture-pane', '-p', '-t', `=${name}:`);
    await until('its shell waits', screen, (text) => text.endsWith('\n$'));
    await until(
      'its agent has left',
      () => room.entry(hands, name),
      ({ activity }) => activity === 'exited',
    );
    return pid;
  }

  const uses = (pid: number) =>
    `sleep (pid ${pid}) uses its terminal, and nothing else ties it to the session`;

  it('S21: stands against closing, in every look', async () => {
    const pid = await leftover('printing');
    const { lifecycle, blockers } = await until(
      'its prompt is seen',
      () => room.entry(hands, 'printing'),
      (entry) => entry.blockers.every(({ code }) => code !== 'nothing-unsent'),
    );
    expect(lifecycle).toBe('stale');
    expect(blockers).toEqual([{ code: 'nothing-outside', kind: 'would-lose', text: uses(pid) }]);
    const closed = await room.close(hands, 'printing');
    expect(closed).toMatchObject({ state: 'refused', code: 'not-safe' });
    expect([await room.names(), lives(pid)]).toEqual([['printing'], true]);
  });

  it('does not, once it prints elsewhere', async () => {
    await leftover('quiet', '</dev/null >/dev/null 2>&1');
    expect(await room.close(hands, 'quiet')).toMatchObject({ state: 'closed' });
  });

  it('is asked for again by the close itself', async () => {
    const pid = await leftover('asked');
    // As if the look had seen nobody.
    const unseen: Hands = {
      ...hands,
      look: async (options) => {
        const roll = await hands.look(options);
        const sessions = roll.sessions.map((entry) => ({
          ...entry,
          ...{ lifecycle: 'safe-to-close' as const, blockers: [], protections: [], checks: [] },
          evidence: entry.evidence.map((piece) =>
            piece.kind === 'processes' ? { ...piece, terminalUsers: [] } : piece,
          ),
        }));
        return { ...roll, sessions };
      },
    };
    const closed = await room.close(unseen, 'asked');
    expect(closed).toMatchObject({ state: 'refused', code: 'not-safe', text: uses(pid) });
    expect(await room.names()).toEqual(['asked']);
  });

  it('is told before a forced close, and gets no signal from it', async () => {
    const pid = await leftover('forced');
    const closed = await room.close(hands, 'forced', { isForced: true });
    expect(closed).toMatchObject({ state: 'closed', receipt: { survivors: [{ pid }] } });
    expect(lives(pid)).toBe(true);
  });

  it('stops a forced close that nobody was told of it', async () => {
    const pid = await leftover('late');
    const entry = await room.entry(hands, 'late');
    const evidence = entry.evidence.map((piece) =>
      piece.kind === 'processes' ? { ...piece, terminalUsers: [] } : piece,
    );
    // Its blockers are worked out when they are asked for, and no copy has them.
    const shown = { ...entry, blockers: entry.blockers, checks: entry.checks, evidence };
    const closed = await room.close(hands, shown, { isForced: true });
    expect(closed).toMatchObject({ state: 'refused', code: 'not-safe', text: uses(pid) });
    expect(await room.names()).toEqual(['late']);
  });

  it('is none of its own, and none where the pane has no terminal or keeps it', async () => {
    const pid = await leftover('known');
    const entry = await room.entry(hands, 'known');
    const panes = closingPanes(entry, Date.now());
    const mark = entry.server;
    expect(terminalHolders(hands, mark, panes)).toMatchObject({ holders: [{ pid }], isComplete: true });
    for (const over of [{ isDead: true }, { isShared: true }, { tty: null }]) {
      const changed = panes.map((pane) => ({ ...pane, ...over }));
      expect(terminalInUse(hands, mark, changed, NOBODY)).toBeNull();
    }
    expect(terminalInUse(hands, mark, panes, { ...NOBODY, isListed: () => true })).toBeNull();
  });

  it('cannot be told where the terminal is not there, and only force goes on', async () => {
    await leftover('unseen', '</dev/null >/dev/null 2>&1');
    const entry = await room.entry(hands, 'unseen');
    const panes = closingPanes(entry, Date.now()).map((pane) => ({ ...pane, tty: '/dev/pts/none' }));
    const { server } = entry;
    expect(terminalInUse(hands, server, panes, NOBODY)).toBe('who uses its terminal cannot be told');
    expect(terminalInUse(hands, server, panes, { ...NOBODY, isForced: true })).toBeNull();
  });
});
