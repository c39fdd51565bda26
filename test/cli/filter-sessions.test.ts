import { describe, expect, it } from 'vitest';
import type { Filter } from '../../src/operations/filter-sessions.ts';
import { filterSessions } from '../../src/operations/filter-sessions.ts';
import { cpuSeconds } from '../support/cpu-seconds.ts';
import { entry, roll } from './render/samples.ts';

const SESSIONS = [
  entry('stuck', { lifecycle: 'stale', activity: 'idle', agent: null }),
  entry('build-1', { lifecycle: 'active', activity: 'working' }),
  entry('build-2', {
    lifecycle: 'safe-to-close',
    activity: 'exited',
    agent: { kind: 'codex', version: null, conversation: null, pid: null },
    server: { socketPath: '/s/tmux-1000/work', label: 'work', pid: 1, startTicks: 1, version: null },
  }),
  entry('what?', { lifecycle: 'unknown', activity: 'unknown' }),
];
const NOTHING: Filter = { lifecycles: [], activities: [], agents: [], servers: [], words: [] };

function names(filter: Partial<Filter>): string[] | string {
  const filtered = filterSessions(roll(SESSIONS), { ...NOTHING, ...filter });
  return filtered.state === 'matched'
    ? filtered.roll.sessions.map(({ name }) => name)
    : `no ${filtered.word}`;
}

describe('the roll', () => {
  it.each<[Partial<Filter>, string[]]>([
    [{}, ['stuck', 'build-1', 'build-2', 'what?']],
    [{ lifecycles: ['stale', 'unknown'] }, ['stuck', 'what?']],
    [{ activities: ['working'] }, ['build-1']],
    [{ agents: ['claude'] }, ['build-1', 'what?']],
    [{ agents: ['none'] }, ['stuck']],
    [{ agents: ['codex', 'none'] }, ['stuck', 'build-2']],
    [{ agents: ['cod'] }, []],
    [{ servers: ['work'] }, ['build-2']],
    [{ servers: ['/s/tmux-1000/work'] }, ['build-2']],
    [{ servers: ['work', 'default'] }, ['stuck', 'build-1', 'build-2', 'what?']],
    [{ servers: ['wor'] }, []],
    [{ words: ['build-*'] }, ['build-1', 'build-2']],
    [{ words: ['build-2', 'stuck'] }, ['stuck', 'build-2']],
    [{ words: ['*'], lifecycles: ['active'] }, ['build-1']],
    [{ words: ['build-1'], lifecycles: ['stale'] }, []],
    [{ words: ['what?'] }, ['what?']],
    [{ words: ['work:build-2'] }, ['build-2']],
    [{ words: ['build-?'], activities: ['exited'] }, ['build-2']],
    [{ words: ['nothing-*'] }, []],
    [{ words: ['[xyz]*'] }, []],
  ])('through %j shows %j, in its own order', (filter, shown) => {
    expect(names(filter)).toEqual(shown);
  });

  it.each([['build'], ['build-3'], ['Build-1'], [''], ['a[b']])(
    'says that there is no session %j',
    (word) => {
      expect(names({ words: ['build-*', word] })).toBe(`no ${word}`);
    },
  );

  it('keeps its problems and servers', () => {
    const whole = roll(SESSIONS, { problems: [{ code: 'c', text: 't' }] });
    expect(filterSessions(whole, { ...NOTHING, words: ['none-*'] })).toEqual({
      state: 'matched',
      roll: { ...whole, sessions: [] },
    });
  });

  it('S57: is filtered at once by a pattern that would make a regular expression explode', () => {
    const many = Array.from({ length: 300 }, (_, index) => entry(`${'a'.repeat(100)}${index}`));
    const filtered = () => filterSessions(roll(many), { ...NOTHING, words: [`${'*a'.repeat(60)}*b`] });
    expect(filtered()).toMatchObject({ state: 'matched', roll: { sessions: [] } });
    expect(cpuSeconds(filtered)).toBeLessThan(5);
  });

  it('S57: takes what would be an invalid regular expression as plain text', () => {
    for (const word of ['(', 'a{9999999}', '[z-a]x(', '(?<', '\\']) {
      expect(() => names({ words: [word] })).not.toThrow();
    }
  });
});
