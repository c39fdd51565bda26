import { test as base, describe, expect } from 'vitest';
import { ROLLCALL } from '../support/command.ts';
import { hasPrivateMounts } from '../support/private-mounts.ts';
import { until } from '../support/until.ts';
import { WishesRoom } from './wishes-room.ts';

const test = base.extend<{ room: WishesRoom }>({
  room: async ({ task: _ }, use) => {
    const room = new WishesRoom();
    await use(room);
    room.leave();
  },
});

describe.concurrent('S63: what somebody ended while the server lived stays so after a crash', () => {
  test('a session that was removed, a program that was killed, an adopted one that left', async ({
    room,
  }) => {
    await room.agent('removed');
    const killed = await room.agent('killed');
    const adopted = await room.adopted('adopted');
    await room.agent('stays');
    await room.ends(() => room.tmux.tmux('kill-session', '-t', '=removed'));
    await room.ends(async () => process.kill(room.pidOf(killed), 'SIGTERM'));
    await room.ends(async () => process.kill(room.pidOf(adopted), 'SIGTERM'));
    for (const name of ['removed', 'killed', 'adopted']) await room.gone(name);
    // Who only reads writes nothing down.
    await room.cli('--json', ...room.server);
    await room.cli('status', ...room.server);
    expect(await room.noted('session-missing')).toBe(0);
    await room.seen('stays');
    expect(await room.noted('session-missing')).toBe(3);
    await room.seen('stays');
    expect(await room.noted('session-missing')).toBe(3);
    await room.crash();

    expect(await room.lostNames()).toEqual(['stays']);
    const { sessions } = JSON.parse(await room.done('--json', ...room.server));
    const removed = sessions.find(({ name }: { name: string }) => name === 'removed');
    expect(removed).toMatchObject({ lifecycle: 'lost' });
    expect(JSON.stringify(removed.reasons)).toContain('it was gone before that');
    if (hasPrivateMounts) {
      const later = room.inNextBoot(`${ROLLCALL} restore --dry-run --json`);
      const { sessions: lost } = JSON.parse(later) as { sessions: { name: string; lostBy: string }[] };
      expect(lost.map(({ name, lostBy }) => [name, lostBy])).toEqual([['stays', 'restarted']]);
    }
    expect((await room.restoreAsUser('--yes', ...room.server)).sessions).toMatchObject([{ name: 'stays' }]);
    // Whoever names it wants it.
    expect((await room.restore('removed', '--yes', ...room.server)).sessions).toMatchObject([
      { name: 'removed', result: 'restored' },
    ]);
    expect((await room.names()).sort()).toEqual(['removed', 'stays']);
    await room.done('verify');
  });

  test('a program that was killed long before, and whose dead pane stood', async ({ room }) => {
    const long = await room.agent('long', '--remain');
    const just = await room.agent('just', '--remain');
    await room.ends(async () => process.kill(room.pidOf(long), 'SIGTERM'));
    await room.endsWritten(1, 3600);
    await room.ends(async () => process.kill(room.pidOf(just), 'SIGTERM'));
    await room.endsWritten(2);
    await room.done('--json', ...room.server);
    await room.crash();
    // Also for those who come after the first look.
    for (const _ of [1, 2]) expect(await room.lostNames()).toEqual(['just']);
    if (hasPrivateMounts) {
      const { sessions } = JSON.parse(room.inNextBoot(`${ROLLCALL} restore --dry-run --json`));
      expect(sessions).toMatchObject([{ name: 'just', lostBy: 'restarted' }]);
    }
  });

  test('an agent that was left while another pane stood', async ({ room }) => {
    const id = await room.agent('shared');
    await room.tmux.tmux('split-window', '-d', '-t', '=shared:', 'sh');
    await room.seen('shared');
    const [first] = (await room.tmux.tmux('list-panes', '-t', '=shared:', '-F', '#{pane_id}')).split('\n');
    await room.ends(() => room.tmux.tmux('send-keys', '-t', first as string, 'exit', 'Enter'));
    await room.endsWritten(1);
    await room.seen('shared');
    await room.crash();
    const { sessions } = await room.restore('--yes');
    expect(sessions).toMatchObject([{ name: 'shared', result: 'restored' }]);
    expect(sessions[0]?.missing.join()).toContain(`ended with status 0 before the session went`);
    expect(sessions[0]?.missing.join()).toContain(`--resume ${id}`);
    expect(room.running()).toEqual([]);
    expect(room.starts()).toHaveLength(1);
  });

  test('the daemon sees it by itself', async ({ room }) => {
    await room.agent('removed');
    await room.agent('stays');
    await room.done('up', ...room.server);
    try {
      await room.ends(() => room.tmux.tmux('kill-session', '-t', '=removed'));
      await until(
        'it is noted',
        () => room.noted('session-missing'),
        (number) => number === 1,
      );
      await room.crash();
      await until(
        'what was lost is offered',
        () => room.noted('restore-offer'),
        (number) => number === 1,
      );
    } finally {
      await room.done('down');
    }
    expect(await room.lostNames()).toEqual(['stays']);
  });
});

describe.concurrent('S63: restore.onBoot: asleep', () => {
  test('brings nothing back in the same boot, where somebody may have removed the last session', async ({
    room,
  }) => {
    room.configure('asleep');
    await room.agent('only');
    await room.done('up', ...room.server);
    try {
      await room.ends(() => room.tmux.tmux('kill-session', '-t', '=only'));
      await until(
        'it is offered',
        () => room.noted('restore-offer'),
        (number) => number === 1,
      );
      await room.done('down');
      expect(await room.names()).toEqual([]);
      expect(await room.lostNames()).toEqual(['only']);
    } finally {
      await room.cli('down');
    }
  });

  test.skipIf(!hasPrivateMounts)(
    'brings agents back after a boot, starts nothing else, and nothing that was offered before',
    async ({ room }) => {
      room.configure('asleep');
      await room.agent('before');
      await room.done('up', ...room.server);
      await room.ends(() => room.tmux.tmux('kill-session', '-t', '=before'));
      await until(
        'it is offered',
        () => room.noted('restore-offer'),
        (number) => number === 1,
      );
      await room.done('down');
      const id = await room.agent('one');
      await room.done('run', '--name', 'plain', ...room.server, '--', 'sleep', '1000');
      await room.crash();
      const server = room.server.join(' ');
      try {
        room.inNextBoot(`${ROLLCALL} up ${server}`);
        await until(
          'it is there',
          () => room.names(),
          (names) => names.includes('one'),
        );
      } finally {
        // The daemon finishes what it has begun.
        room.inNextBoot(`${ROLLCALL} down`);
      }
      expect(await room.names()).toEqual(['one']);
      expect(room.running()).toEqual([]);
      const { sessions } = JSON.parse(room.inNextBoot(`${ROLLCALL} --json ${server}`));
      expect(sessions).toContainEqual(
        expect.objectContaining({
          ...{ name: 'one', activity: 'asleep', agent: expect.objectContaining({ conversation: id }) },
        }),
      );
      const lost = JSON.parse(room.inNextBoot(`${ROLLCALL} restore --dry-run --json`));
      expect(lost.sessions.map(({ name }: { name: string }) => name).sort()).toEqual(['before', 'plain']);
    },
  );
});
