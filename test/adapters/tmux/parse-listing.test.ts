import { describe, expect, it } from 'vitest';
import { listingCommand } from '../../../src/adapters/tmux/listing-command.ts';
import { createListingParser } from '../../../src/adapters/tmux/parse-listing.ts';
import { line, NONCE } from './listing-output.ts';

const parse = (...lines: string[]) => createListingParser()(lines.join(''), NONCE);
const onePane = (changes: Record<string, string>) =>
  parse(line('server'), line('pane', changes), line('end'))?.sessions[0]?.panes[0];

describe('a listing of tmux 3.3a', () => {
  it('becomes a server with its sessions, panes and clients', () => {
    expect(parse(line('server'), line('pane'), line('client'), line('end'))).toEqual({
      pid: 4242,
      version: '3.3a',
      startedAt: 1_700_000_000_000,
      sessions: [
        {
          sessionId: '$0',
          name: 'main',
          createdAtSeconds: 1_700_000_000,
          panes: [
            {
              ...{ paneId: '%0', windowIndex: 0, paneIndex: 0, isActive: true, pid: 4243 },
              ...{ isDead: false, lastOutputAt: 1_700_000_100_000, isFullScreen: false, isInMode: false },
              ...{ isWindowShared: false, title: 'host', tty: '/dev/pts/7', startCommand: 'sh -i' },
            },
          ],
        },
      ],
      clients: [
        { sessionId: '$0', tty: '/dev/pts/3', pid: 4300, lastInputAt: 1_700_000_200_000, isControl: false },
      ],
    });
  });

  it('calls a pane active only in the current window of its session', () => {
    expect(onePane({ window_active: '0' })?.isActive).toBe(false);
    expect(onePane({ pane_active: '0' })?.isActive).toBe(false);
  });

  it('gives a pane without a terminal none', () => {
    expect(onePane({ pane_tty: '' })).not.toHaveProperty('tty');
  });

  it('counts every mode that lies over a pane', () => {
    expect(onePane({ pane_in_mode: '2' })?.isInMode).toBe(true);
  });

  it('leaves out when a session that nobody attached to was attached', () => {
    const last = (session_last_attached: string) =>
      parse(line('server'), line('pane', { session_last_attached }), line('end'))?.sessions[0];
    expect(last('')).not.toHaveProperty('lastAttachedAt');
    expect(last('0')).not.toHaveProperty('lastAttachedAt');
    expect(last('1700000300')).toHaveProperty('lastAttachedAt', 1_700_000_300_000);
  });

  it('reads how a pane died, with the signal by its name', () => {
    const died = { pane_dead: '1' };
    expect(onePane({ ...died, pane_dead_status: '3' })).toMatchObject({ isDead: true, exitStatus: 3 });
    expect(onePane({ ...died, pane_dead_signal: '9' })).toMatchObject({ exitSignal: 'SIGKILL' });
    expect(onePane({ ...died, pane_dead_signal: 'TERM' })).toMatchObject({ exitSignal: 'SIGTERM' });
  });

  it('gives a dead pane whose status was lost no status, least of all zero', () => {
    expect(onePane({ pane_dead: '1' })).not.toHaveProperty('exitStatus');
    expect(onePane({ pane_dead: '1' })).not.toHaveProperty('exitSignal');
  });

  it('says 0 for the process of a pane that has none', () => {
    expect(onePane({ pane_pid: '-1' })?.pid).toBe(0);
  });

  it('keeps the directory where it was asked for', () => {
    expect(onePane({ pane_start_path: '/srv/a b' })?.startPath).toBe('/srv/a b');
    expect(onePane({ pane_current_path: '/home/me/a b\n' })?.currentPath).toBe('/home/me/a b\n');
    expect(listingCommand(NONCE, true).join(' ')).toContain('#{pane_current_path}');
    expect(listingCommand(NONCE, false).join(' ')).not.toContain('pane_current');
  });
});

describe('listings of other versions', () => {
  it('lacks death signal and time on 3.0 to 3.2 and says nothing in their place', () => {
    const pane = onePane({ pane_dead: '1', pane_dead_status: '1', pane_dead_signal: '', pane_dead_time: '' });
    expect(pane).toMatchObject({ isDead: true, exitStatus: 1 });
    expect(pane).not.toHaveProperty('exitSignal');
  });

  it('leaves out what a version does not report', () => {
    const pane = onePane({ alternate_on: '', window_activity: '', pane_in_mode: '' });
    for (const field of ['isFullScreen', 'lastOutputAt']) expect(pane).not.toHaveProperty(field);
    expect(pane?.isInMode).toBe(false);
  });

  it.each(['3.0a', '3.7c', 'next-3.8', 'openbsd-7.4'])('takes %s for a version', (version) => {
    expect(parse(line('server', { version }), line('pane'), line('end'))?.version).toBe(version);
  });

  it('S51: a group shares its windows also where window_linked does not say so (below 3.6)', () => {
    const grouped = (group: string, other: string, window_linked = '0') =>
      parse(
        line('server', { 'S:.': '..' }),
        line('pane', { session_group: group, window_linked }),
        line('pane', { session_id: '$1', session_name: 'twin', session_group: other, window_linked }),
        line('end'),
      )?.sessions.map((session) => session.panes.map((pane) => pane.isWindowShared));
    expect(grouped('g', 'g')).toEqual([[true], [true]]);
    expect(grouped('g', '')).toEqual([[false], [false]]);
    expect(grouped('', '')).toEqual([[false], [false]]);
    expect(grouped('', '', '1')).toEqual([[true], [true]]);
  });
});

describe('hostile text', () => {
  const nasty = 'a\tb\nc,d #{pid} #(date) \u001b]0;x\u0007 \u202eevil\u0000';

  it('S54: escapes and bidi controls in names, titles and commands come out visible', () => {
    const listing = parse(
      line('server'),
      line('pane', {
        session_name: nasty,
        session_group: nasty,
        pane_title: nasty,
        pane_start_command: nasty,
      }),
      line('client', { client_tty: nasty }),
      line('end'),
    );
    const session = listing?.sessions[0];
    const shown = 'a\\tb\\nc,d #{pid} #(date) \\e]0;x\\u{7} \\u{202e}evil\\u{0}';
    expect([session?.name, session?.group, listing?.clients[0]?.tty]).toEqual([shown, shown, shown]);
    expect([session?.panes[0]?.title, session?.panes[0]?.startCommand]).toEqual([shown, shown]);
  });

  it('S9: a title that looks like a record of the listing stays a title', () => {
    const forged = `\npane\n$0,%9,@0\n${line('pane', { pane_id: '%9' }).replaceAll(NONCE, 'f00dfeed0badcafe98')}`;
    const listing = parse(line('server'), line('pane', { pane_title: forged }), line('end'));
    expect(listing?.sessions[0]?.panes.map((pane) => pane.paneId)).toEqual(['%0']);
  });

  it('S57: a title of a megabyte is cut', () => {
    expect(onePane({ pane_title: 'x'.repeat(1_000_000) })?.title.length).toBeLessThan(2000);
  });
});

describe('S32: half an answer is none', () => {
  const whole = [line('server'), line('pane'), line('client'), line('end')];

  it('takes the whole answer', () => {
    expect(parse(...whole)).not.toBeNull();
  });

  it.each([
    ['nothing', []],
    ['no server record', whole.slice(1)],
    ['two server records', [...whole.slice(0, 1), ...whole]],
    ['no end', whole.slice(0, -1)],
    ['two ends', [...whole, line('end')]],
    ['text before it', ['hello\n', ...whole]],
    ['text behind it', [...whole, 'hello\n']],
    ['text between records', [...whole.slice(0, 1), 'hello\n', ...whole.slice(1)]],
    ['a record of a kind that was not asked for', [...whole, line('end').replace('end', 'toString')]],
    ['a field too few', [...whole.slice(0, 1), line('pane').replace(',4243,', ','), ...whole.slice(2)]],
    [
      'a name in place of an id',
      [...whole.slice(0, 1), line('pane', { pane_id: 'main' }), ...whole.slice(2)],
    ],
    ['no process', [...whole.slice(0, 1), line('pane', { pane_pid: '' }), ...whole.slice(2)]],
    ['no version', [line('server', { version: '' }), ...whole.slice(1)]],
    ['a session too many', [...whole.slice(0, 2), line('pane', { session_id: '$9' }), ...whole.slice(2)]],
    ['a session too few', [line('server', { 'S:.': '..' }), ...whole.slice(1)]],
    ['no pane where there are sessions', [line('server')]],
    ['a client where there are no sessions', [line('server', { 'S:.': '' }), line('client'), line('end')]],
  ])('refuses %s', (_, lines) => {
    expect(parse(...lines)).toBeNull();
  });

  it('refuses every cut of the text', () => {
    const text = whole.join('');
    for (let length = 0; length < text.length; length += 1) {
      expect(createListingParser()(text.slice(0, length), NONCE)).toBeNull();
    }
  });

  it('takes a server without sessions, which answers up to its own record', () => {
    expect(parse(line('server', { 'S:.': '' }))).toMatchObject({ pid: 4242, sessions: [], clients: [] });
  });
});

describe('one listing after another', () => {
  const twice = (first: Record<string, string>, second: Record<string, string>, others: string[] = []) => {
    const read = createListingParser();
    const paneOf = (changes: Record<string, string>, ...more: string[]) =>
      read(
        [
          line('server', { 'S:.': '.'.repeat(1 + more.length) }),
          line('pane', changes),
          ...more,
          line('end'),
        ].join(''),
        NONCE,
      )?.sessions[0]?.panes[0];
    return [paneOf(first), paneOf(second, ...others)] as const;
  };

  it('gives the same sighting for a pane that says the same again', () => {
    const [before, after] = twice({}, {});
    expect(before).toBeDefined();
    expect(after).toBe(before);
  });

  it.each([
    ['a fact', { window_activity: '1700000777' }, { lastOutputAt: 1_700_000_777_000 }],
    ['the first text', { session_name: 'renamed', pane_title: 'new' }, { title: 'new' }],
    ['the last text', { pane_current_path: '/elsewhere' }, { currentPath: '/elsewhere' }],
  ])('sees %s that changed', (_, changes, expected) => {
    const [before, after] = twice({}, changes);
    expect(after).not.toBe(before);
    expect(after).toMatchObject(expected);
  });

  it('sees that a pane has come to share its window', () => {
    const other = line('pane', { session_id: '$1', session_group: 'both', pane_id: '%1' });
    const [before, after] = twice({ session_group: 'both' }, { session_group: 'both' }, [other]);
    expect([before?.isWindowShared, after?.isWindowShared]).toEqual([false, true]);
  });
});
