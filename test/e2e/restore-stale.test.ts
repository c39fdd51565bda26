import { test as base, describe, expect } from 'vitest';
import type { Hands } from '../../src/engine/act/hands.ts';
import { lostSessions, restoreSession } from '../../src/engine/act/restore/restore-session.ts';
import { until } from '../support/until.ts';
import { WishesRoom } from './wishes-room.ts';

const test = base.extend<{ room: WishesRoom }>({
  room: async ({ task: _ }, use) => {
    const room = new WishesRoom();
    await use(room);
    room.leave();
  },
});

describe.concurrent('S63: between the list and the act everything is looked at anew', () => {
  const ORDER = { shell: '/bin/sh', argv: [] };

  async function listed(hands: Hands) {
    const { sessions } = await hands.look();
    return lostSessions(hands, sessions, { since: null, named: null, hasPrograms: false });
  }

  test('what was brought back, closed or has ended meanwhile is not made again', async ({ room }) => {
    await room.agent('a');
    const b = await room.agent('b');
    await room.agent('c');
    await room.agent('d');
    // Made from its layout alone, which goes once its successor was seen.
    await room.adopted('e');
    await room.crash();
    const hands = await room.hands();
    const plan = await listed(hands);
    expect(plan).toHaveLength(5);
    await room.tmux.session('mine');
    await room.done('close', room.at('d'), '--force');
    expect((await room.restoreAsUser('--yes', ...room.server)).sessions).toHaveLength(4);
    await until(
      'all run',
      () => room.resumed(),
      (ids) => ids.length === 4,
    );
    await room.done('close', room.at('a'), '--force');
    await room.ends(async () => process.kill(room.pidOf(b), 'SIGKILL'));
    await room.gone('b');
    const starts = room.starts().length;
    const reports = [];
    for (const lost of plan) reports.push(await restoreSession(hands, lost, ORDER));
    expect(reports.map(({ name, result }) => [name, result]).sort()).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'already']),
    );
    expect(reports.find(({ name }) => name === 'd')?.text).toContain('it was closed meanwhile: receipt');
    expect(reports.find(({ name }) => name === 'b')?.text).toContain('it was brought back meanwhile');
    expect(room.starts()).toHaveLength(starts);
    expect((await room.names()).sort()).toEqual(['c', 'e', 'mine']);
  });

  test('also by whoever already has its lock, and one that was cut short is found out first', async ({
    room,
  }) => {
    await room.agent('closed');
    await room.agent('begun');
    await room.crash();
    const other = await room.hands();
    const plan = await listed(other);
    const starts = room.starts().length;
    const restored = async (name: string, meanwhile: (session: { key: string; name: string }) => void) => {
      const lost = plan.find(({ entry }) => entry.name === name) as (typeof plan)[number];
      const hands = await room.hands();
      const look: Hands['look'] = async (options) => {
        meanwhile({ key: lost.entry.key, name });
        return hands.look(options);
      };
      return restoreSession({ ...hands, look }, lost, ORDER);
    };
    const closed = await restored('closed', (session) =>
      other.ledger.append({ kind: 'receipt', action: 'close', session, body: { receipt: 'r-other' } }),
    );
    expect(closed).toMatchObject({ result: 'already', text: 'it was closed meanwhile: receipt r-other' });
    const begun = await restored('begun', (session) =>
      other.ledger.append({ kind: 'intent', action: 'reopen', session, body: { run: 'r' } }),
    );
    expect(begun).toMatchObject({ result: 'failed', text: expect.stringContaining('was cut short') });
    expect(room.starts()).toHaveLength(starts);
    expect(await room.names()).toEqual([]);
  });

  test('what was said of it meanwhile comes along', async ({ room }) => {
    await room.agent('one');
    await room.done('hold', room.at('one'));
    await room.crash();
    const hands = await room.hands();
    const plan = await listed(hands);
    for (const { entry } of plan) {
      const { key, name } = entry;
      hands.ledger.append({ kind: 'declared', action: 'unhold', session: { key, name } });
    }
    for (const lost of plan)
      expect(await restoreSession(hands, lost, ORDER)).toMatchObject({ result: 'restored' });
    const { sessions } = JSON.parse(await room.done('--json', ...room.server));
    expect(JSON.stringify(sessions)).not.toContain('"held"');
  });
});
