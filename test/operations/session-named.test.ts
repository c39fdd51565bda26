import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Roll, SessionEntry } from '../../src/core/sight/roll.ts';
import { selectSession } from '../../src/operations/select-session.ts';
import { sessionNamed } from '../../src/operations/session-named.ts';
import { entry, pane } from '../cli/render/samples.ts';

const emptyRoll: Roll = {
  host: { machineId: 'm', bootId: 'b', name: 'here' },
  ...{ at: 1, memory: null, servers: [], sessions: [], problems: [] },
};

const on = (label: string, socketPath = `/tmp/tmux-1000/${label}`): Pick<SessionEntry, 'server'> => ({
  server: { socketPath, label, pid: 1, startTicks: 2, version: '3.3a' },
});

function chosen(sessions: readonly SessionEntry[], word: string): string[] {
  const selection = selectSession(sessions, word);
  if (selection.state === 'one') return [selection.entry.key];
  return selection.state === 'several' ? selection.entries.map(({ key }) => key) : [];
}

describe('a word', () => {
  it.each(['foo', 'fo', 'f*', '*', 'foo?ar', '[f]oobar', '=foobar', 'FOOBAR', 'foobar ', ''])(
    'S1: %j never means the session foobar: no prefix, no pattern',
    (word) => {
      expect(selectSession([entry('foobar')], word)).toMatchObject({ state: 'none' });
    },
  );

  it('3: means what was closed only where nothing else has the name, and then the newest on each server', () => {
    const old = entry('foo', { key: 'old', lifecycle: 'closed', since: 1, ...on('a') });
    const closed = entry('foo', { key: 'closed', lifecycle: 'closed', since: 2, ...on('a') });
    const elsewhere = entry('foo', { key: 'elsewhere', lifecycle: 'closed', since: 1, ...on('b') });
    const lost = entry('foo', { key: 'lost', lifecycle: 'lost', ...on('a') });
    const living = entry('foo', { key: 'living', ...on('a') });
    expect(chosen([closed, old], 'foo')).toEqual(['closed']);
    expect(chosen([old, closed, elsewhere], 'foo')).toEqual(['closed', 'elsewhere']);
    expect(chosen([old, closed, lost], 'foo')).toEqual(['lost']);
    expect(chosen([old, closed, lost, living], 'foo')).toEqual(['living']);
    expect(chosen([old, closed, living], 'old')).toEqual(['old']);
  });

  it('S1: means foo and not foobar when both are there', () => {
    expect(chosen([entry('foobar'), entry('foo'), entry('foo-1')], 'foo')).toEqual([entry('foo').key]);
  });

  it.each([
    ['build', 'its name'],
    ['$7', 'its id'],
    ['%12', 'one of its panes'],
    ['%13', 'another of its panes'],
    ['m.b.812.9.build.1', 'its key'],
    ['work:build', 'label and name'],
    ['work:$7', 'label and id'],
    ['work:%12', 'label and pane'],
    ['/tmp/tmux-1000/work:build', 'socket path and name'],
  ])('%s means a session by %s', (word) => {
    const build = entry('build', {
      ...on('work'),
      sessionId: '$7',
      panes: [pane({ paneId: '%12' }), pane({ paneId: '%13' })],
    });
    expect(chosen([entry('other', { sessionId: '$8' }), build], word)).toEqual([build.key]);
  });

  it('means a lost session only where none that lives has that name', () => {
    const lost = entry('build', { key: 'lost', lifecycle: 'lost' });
    const living = entry('build', { key: 'living' });
    expect(chosen([lost, living], 'build')).toEqual(['living']);
    expect(chosen([lost, living], 'lost')).toEqual(['lost']);
    expect(chosen([lost], 'build')).toEqual(['lost']);
    expect(chosen([lost, { ...lost, key: 'earlier' }], 'build')).toEqual(['lost', 'earlier']);
  });

  it('S5: that names sessions on two sockets is ambiguous; the server in front decides', () => {
    const here = entry('build', { key: 'here', ...on('default') });
    const there = entry('build', { key: 'there', ...on('work') });
    expect(chosen([here, there], 'build')).toEqual(['here', 'there']);
    expect(chosen([here, there], 'work:build')).toEqual(['there']);
    expect(chosen([here, there], '/tmp/tmux-1000/default:build')).toEqual(['here']);
    expect(chosen([here, there], 'there')).toEqual(['there']);
  });

  it('S5: with a label that two folders share is ambiguous; the path decides', () => {
    const one = entry('build', { key: 'one', ...on('default', '/tmp/tmux-1000/default') });
    const two = entry('build', { key: 'two', ...on('default', '/run/other/default') });
    expect(chosen([one, two], 'default:build')).toEqual(['one', 'two']);
    expect(chosen([one, two], '/run/other/default:build')).toEqual(['two']);
  });

  it('S3: that is an id means that id on every server', () => {
    const one = entry('a', { key: 'one', sessionId: '$0', ...on('default') });
    const two = entry('b', { key: 'two', sessionId: '$0', ...on('work') });
    expect(chosen([one, two], '$0')).toEqual(['one', 'two']);
    expect(chosen([one, two], 'work:$0')).toEqual(['two']);
  });

  it('that is one session’s name and another’s id is ambiguous', () => {
    const named = entry('$1', { key: 'named', sessionId: '$0' });
    const numbered = entry('plain', { key: 'numbered', sessionId: '$1' });
    expect(chosen([named, numbered], '$1')).toEqual(['named', 'numbered']);
  });

  it('S51: that is a pane of two grouped sessions is ambiguous', () => {
    const shared = [pane({ paneId: '%4' })];
    expect(chosen([entry('a', { panes: shared }), entry('b', { panes: shared })], '%4')).toHaveLength(2);
  });

  it.each([
    '-dash',
    'sp ace',
    'üñ🚀',
    '#(touch x)',
    '#{pid}',
    'a-b',
    '*star',
    '[a]',
    '=eq',
    '--json',
    'x'.repeat(300),
  ])('S9: %j finds the session of that very name', (name) => {
    expect(chosen([entry('a'), entry(name)], name)).toEqual([entry(name).key]);
  });

  it.each([
    ['v1.2', 'v1_2'],
    ['back\\slash', 'back\\\\slash'],
    ['default:v1.2', 'v1_2'],
  ])('S9: %s finds %s, the name that tmux made of it', (word, stored) => {
    expect(chosen([entry('other'), entry(stored)], word)).toEqual([entry(stored).key]);
  });

  it.each([
    ['a.b:c', 'a_b_c', 'it names a server that is gone'],
    ['m.b.1.2.s3.4', 'm_b_1_2_s3_4', 'it is the key of a session that is gone'],
    ['elsewhere:v1.2', 'elsewhere_v1_2', 'it names another server'],
  ])('S2: %s never means %s: %s', (word, stored) => {
    expect(chosen([entry('other'), entry(stored)], word)).toEqual([]);
  });

  it('S32: %1 is told of nobody while a server gives no answer that may have one, too', () => {
    const here = { ...entry('build'), panes: [pane({ paneId: '%1' })] };
    const silent = { code: 'server-timeout', text: 'no answer', socketPath: '/tmp/tmux-1000/work' };
    const roll = (problems: Roll['problems']) => ({ ...emptyRoll, sessions: [here], problems });
    expect(sessionNamed(roll([]), '%1').name).toBe('build');
    expect(() => sessionNamed(roll([silent]), '%1')).toThrow("cannot tell which session is meant by '%1'");
    expect(sessionNamed(roll([silent]), 'build').name).toBe('build');
    expect(sessionNamed(roll([silent]), 'default:%1').name).toBe('build');
  });

  it('S9: is first taken as it is, then as tmux would store it', () => {
    expect(chosen([entry('a_b'), entry('a.b')], 'a.b')).toEqual([entry('a.b').key]);
  });

  it('S54: finds a name with control characters by the form in which it is shown', () => {
    expect(chosen([entry('a\u001b[31mb')], 'a\\e[31mb')).toHaveLength(1);
    expect(chosen([entry('a\u202eb')], 'a\\u{202e}b')).toHaveLength(1);
  });

  it('is compared whole: long names that begin alike are not the same', () => {
    const long = 'n'.repeat(5000);
    expect(selectSession([entry(`${long}1`)], `${long}2`)).toMatchObject({ state: 'none' });
  });

  it('S1: finds a session exactly when it equals one of its handles', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', ' ', '*'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), text, (names, word) => {
        const sessions = [...new Set(names)].map((name) => entry(name, { sessionId: `$${name}` }));
        expect(chosen(sessions, word)).toEqual(names.includes(word) ? [entry(word).key] : []);
      }),
    );
  });

  it('that nothing has comes with the names that are near', () => {
    const sessions = [entry('build-api'), entry('docs'), entry('build-web')];
    expect(selectSession(sessions, 'build-apu')).toMatchObject({
      near: [{ name: 'build-api' }, { name: 'build-web' }],
    });
    expect(selectSession(sessions, 'zzz')).toEqual({ state: 'none', near: [] });
  });
});
