import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionLock } from '../../../src/engine/act/deed.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { recoverAll } from '../../../src/engine/act/recover.ts';
import { reopenSession } from '../../../src/engine/act/reopen/reopen-session.ts';
import { closedAs } from '../../../src/engine/act/reopen/trouble.ts';
import { intentBody, toSessionWish } from '../../../src/engine/act/run-wish.ts';
import { isTrouble } from '../../../src/engine/act/trouble.ts';
import { until } from '../../support/until.ts';
import { ActingRoom, entriesOf, factsIn } from './acting-room.ts';

let room: ActingRoom;
let hands: Hands;
beforeEach(async () => {
  room = new ActingRoom();
  hands = await room.hands();
});
afterEach(() => room.leave());

const WORD = 'the-word';

/** What a run leaves behind that was killed right after its intent. */
function leaveIntent(name = 'worker', body = intentBody(room.wish({ name }), WORD)): void {
  hands.ledger.append({ kind: 'intent', action: 'run', session: { key: null, name }, body });
}

const start = (over: Parameters<ActingRoom['wish']>[0] = {}, word = WORD) => {
  const wish = room.wish(over);
  return hands.tmux.startSession(wish.socketPath, toSessionWish(wish, wish.name, word));
};

describe('S50: a run that was cut short', () => {
  it('has failed where no session of it is there', async () => {
    await room.tmux.session('other');
    leaveIntent();
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'failed' } }]);
    expect(entriesOf(hands).at(-1)).toMatchObject({
      ...{ kind: 'outcome', action: 'run', cause: 1, session: { key: null, name: 'worker' } },
      body: { result: 'failed', recovered: true },
    });
    expect(await recoverAll(hands)).toEqual([]);
  });

  it('S34: is left to whoever sees its processes, where it was begun in another container', async () => {
    leaveIntent();
    const look = async () => {
      const roll = await hands.look();
      return { ...roll, host: { ...roll.host, pidNamespace: 'another' } };
    };
    expect(await recoverAll({ ...hands, look })).toEqual([]);
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'failed' } }]);
  });

  it('has failed where there is no server at all', async () => {
    leaveIntent();
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'failed' } }]);
  });

  it('was done where a session bears its word, whatever it is called by now', async () => {
    leaveIntent();
    await start();
    await room.tmux.tmux('rename-session', '-t', '=worker', 'renamed');
    expect(await recoverAll(hands)).toMatchObject([
      { session: { name: 'renamed' }, body: { result: 'done' } },
    ]);
    const { key } = await room.entry(hands, 'renamed');
    expect(factsIn(hands).get(key)?.origin?.how).toBe('started');
    expect(entriesOf(hands)).toHaveLength(2);
    // How its program ends is written down, by the hook that needs the pane for it.
    const hooked = await room.tmux.tmux('show-options', '-p', '-t', '=renamed:');
    expect(hooked).toContain('@rollcall_ends on');
    expect(hooked).toContain('remain-on-exit on');
  });

  it('was done also where its program has ended since, and only the pane is left', async () => {
    leaveIntent();
    await start({ argv: ['true'], remain: true });
    await until(
      'it has ended',
      () => room.tmux.tmux('list-panes', '-a', '-F', '#{pane_dead}'),
      (dead) => dead === '1',
    );
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'done' } }]);
  });

  it('S2: is not taken for another session of the same name', async () => {
    leaveIntent();
    await start({}, 'another-word');
    await room.tmux.tmux('set-option', '-p', '-u', '-t', '=worker:', '@rollcall_run');
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'failed' } }]);
  });

  it('is found by its environment where the stamp is gone', async () => {
    leaveIntent();
    await start();
    const pid = await room.tmux.tmux('display-message', '-p', '-t', '=worker:', '#{pane_pid}');
    // The `env` before it sets it last.
    await until('it runs', () => readFileSync(`/proc/${pid}/environ`, 'utf8').includes('ROLLCALL_RUN='));
    await room.tmux.tmux('set-option', '-p', '-u', '-t', '=worker:', '@rollcall_run');
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'done' } }]);
  });

  it('S3: is not taken for the session that somebody has moved its pane into, or linked its window to', async () => {
    leaveIntent();
    await start();
    await room.tmux.session('person');
    await room.tmux.tmux('link-window', '-s', '=worker:', '-t', '=person:9');
    expect(await recoverAll(hands)).toMatchObject([
      { session: { name: 'worker' }, body: { result: 'done' } },
    ]);
    leaveIntent('second', intentBody(room.wish({ name: 'second' }), 'second-word'));
    await start({ name: 'second' }, 'second-word');
    await room.tmux.tmux('join-pane', '-d', '-s', '=second:', '-t', '=person:');
    expect(await recoverAll(hands)).toMatchObject([{ session: { key: null }, body: { result: 'moved' } }]);
    const { key } = await room.entry(hands, 'person');
    expect(factsIn(hands).get(key)?.origin ?? null).toBeNull();
  });

  it('is found in an older session too, and known by its pane', async () => {
    await room.tmux.session('person');
    const { createdAt } = await room.entry(hands, 'person');
    await until('that is older', () => Date.now() > createdAt + 2100);
    leaveIntent();
    await start();
    const [paneId, pid] = (
      await room.tmux.tmux('list-panes', '-t', '=worker:', '-F', '#{pane_id} #{pane_pid}')
    )
      .trim()
      .split(' ');
    await room.tmux.tmux('join-pane', '-d', '-s', '=worker:', '-t', '=person:');
    const server = { socketPath: room.tmux.socketPath, pid: room.tmux.serverPid };
    expect(await recoverAll(hands)).toMatchObject([
      {
        session: { key: null, name: 'worker' },
        body: {
          result: 'moved',
          run: WORD,
          server,
          paneId,
          pid: Number(pid),
          text: expect.stringContaining("'person'"),
        },
      },
    ]);
  });

  it('S32: stays open while its server gives no answer', async () => {
    await room.tmux.session('other');
    leaveIntent();
    process.kill(room.tmux.serverPid, 'SIGSTOP');
    expect(await recoverAll(hands)).toEqual([]);
    process.kill(room.tmux.serverPid, 'SIGCONT');
    await until('it answers', async () => (await hands.look()).problems.length === 0);
    expect(await recoverAll(hands)).toHaveLength(1);
  });

  it('is left alone while its actor lives', async () => {
    leaveIntent();
    const taken = hands.locks.tryLock(sessionLock({ key: null, name: 'worker' }), { task: 'run', argv: [] });
    if (taken.state !== 'held') throw new Error(taken.state);
    expect(await recoverAll(await room.hands())).toEqual([]);
    taken.hold.release();
    expect(await recoverAll(hands)).toHaveLength(1);
  });

  it('is judged by how its actor left it, also where that went on while another was recovered', async () => {
    await room.tmux.session('other');
    leaveIntent('first', intentBody(room.wish({ name: 'first' }), 'first-word'));
    leaveIntent();
    let isStarted = false;
    const look: Hands['look'] = async (options) => {
      const roll = await hands.look(options);
      // Its actor lives so long, and has its lock.
      if (!isStarted) await start();
      isStarted = true;
      return roll;
    };
    expect(await recoverAll({ ...hands, look })).toMatchObject([
      { session: { name: 'first' }, body: { result: 'failed' } },
      { session: { name: 'worker' }, body: { result: 'done' } },
    ]);
    const { key } = await room.entry(hands, 'worker');
    expect(factsIn(hands).get(key)?.origin?.how).toBe('started');
  });

  it('is not ended twice where its actor ended it a moment ago', async () => {
    leaveIntent();
    const tryLock: Hands['locks']['tryLock'] = (subject, claim) => {
      const body = { result: 'done' };
      hands.ledger.append({
        kind: 'outcome',
        action: 'run',
        session: { key: 'k', name: 'worker' },
        cause: 1,
        body,
      });
      return hands.locks.tryLock(subject, claim);
    };
    expect(await recoverAll({ ...hands, locks: { tryLock } })).toEqual([]);
    expect(entriesOf(hands)).toHaveLength(2);
  });

  it('S35: has failed when the machine was restarted since, and is not judged from another machine', async () => {
    leaveIntent();
    const look = hands.look;
    const on =
      (host: object): Hands['look'] =>
      async (options) => {
        const roll = await look(options);
        return { ...roll, host: { ...roll.host, ...host } };
      };
    expect(await recoverAll({ ...hands, look: on({ machineId: 'elsewhere' }) })).toEqual([]);
    expect(await recoverAll({ ...hands, look: on({ bootId: 'later' }) })).toMatchObject([
      { body: { result: 'failed', text: expect.stringContaining('restarted') } },
    ]);
  });

  describe('whose server went too', () => {
    const keep = () => {
      const { argv, cwd, env, remain } = room.wish();
      hands.starts.keep({ ...{ run: WORD, program: null, argv, cwd, env, remain }, isClean: false });
    };
    const lost = async () =>
      (await hands.look()).sessions.filter(({ lostBy }) => lostBy).map(({ name, lostBy }) => [name, lostBy]);

    it('is lost, with its start: it may have been at work', async () => {
      leaveIntent();
      keep();
      await start();
      await room.tmux.killServer();
      await until('its server is gone', async () => (await hands.look()).servers.length === 0);
      expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'done', isUnseen: true } }]);
      expect(await lost()).toEqual([['worker', 'ended']]);
      expect(hands.starts.of(WORD)).not.toBeNull();
      // Somebody may have removed it: it does not come back by itself.
      expect([...factsIn(hands).values()]).toMatchObject([{ name: 'worker', offered: { sequence: 2 } }]);
      expect(await recoverAll(hands)).toEqual([]);
      const closed = closedAs(entriesOf(hands), 'worker');
      if (isTrouble(closed)) throw new Error(closed.text);
      const again = await reopenSession(hands, {
        ...{ closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
        ...{ shell: '/bin/sh', argv: ['test'] },
      });
      expect(again).toMatchObject({ state: 'reopened', name: 'worker' });
      expect(await lost()).toEqual([]);
    });

    it('is lost after a boot', async () => {
      await room.tmux.session('other');
      leaveIntent();
      keep();
      const later: Hands['look'] = async (options) => {
        const roll = await hands.look(options);
        return { ...roll, host: { ...roll.host, bootId: 'later' } };
      };
      expect(await recoverAll({ ...hands, look: later })).toMatchObject([{ body: { isUnseen: true } }]);
      expect(hands.starts.of(WORD)).not.toBeNull();
    });

    it('is lost where another server took its place', async () => {
      await room.tmux.session('other');
      leaveIntent();
      keep();
      const sense: Hands['processes']['sense'] = () => {
        const table = hands.processes.sense();
        const byPid = new Map(
          [...table.byPid].map(([pid, one]) => [pid, { ...one, startedAt: one.startedAt + 120_000 }]),
        );
        return { ...table, byPid };
      };
      const processes = { ...hands.processes, sense };
      expect(await recoverAll({ ...hands, processes })).toMatchObject([{ body: { isUnseen: true } }]);
      expect(await lost()).toEqual([['worker', 'replaced']]);
    });

    it('has failed where the server that it was begun on is there', async () => {
      await room.tmux.session('other');
      leaveIntent();
      keep();
      expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'failed' } }]);
      expect(hands.starts.of(WORD)).toBeNull();
    });
  });

  it('costs no look where nothing was left behind', async () => {
    hands.ledger.append({ kind: 'declared', action: 'hold', session: { key: 'k', name: 'n' } });
    const look: Hands['look'] = () => Promise.reject(new Error('nobody may look'));
    expect(await recoverAll({ ...hands, look })).toEqual([]);
  });
});
