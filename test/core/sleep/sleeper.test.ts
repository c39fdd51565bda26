import { describe, expect, it } from 'vitest';
import { SLEEPER, type SleeperSign, sleeperWords, sleptFrom } from '../../../src/core/sleep/sleeper.ts';

const SIGN: SleeperSign = {
  ...{ receipt: 'r-1', session: 'build', kind: 'claude', conversation: 'c-1', since: '2027-01-15 08:00' },
  ...{ cwd: '/project', freed: '210.4 MiB', resume: ['claude', '--resume', 'c-1'] },
};
const OWN = ['/usr/bin/node', '/opt/rollcall/bin.js'];

describe('the command line of a sleeper', () => {
  it('is a POSIX shell with its own name, the receipt, and the rollcall that started it', () => {
    const [shell, flag, script, ...words] = sleeperWords(SIGN, OWN);
    expect([shell, flag]).toEqual(['/bin/sh', '-c']);
    expect(script).toContain('wake "$1"');
    expect([words[0], words[1], ...words.slice(4)]).toEqual([SLEEPER, 'r-1', ...OWN]);
    expect(words[3]).toBe('cd /project && claude --resume c-1');
  });

  it('tells its receipt, and no other program does', () => {
    expect(sleptFrom(sleeperWords(SIGN, OWN))).toBe('r-1');
    expect(sleptFrom(['/bin/sh', '-c', 'true', SLEEPER])).toBeNull();
    expect(sleptFrom(['/bin/sh', '-c', 'true', 'other', 'r-1'])).toBeNull();
  });

  it('shows what sleeps, since when, and what came back', () => {
    expect(sleeperWords(SIGN, OWN)[5]?.split('\n')).toEqual([
      ...['', '  claude sleeps here.', ''],
      '  session       build',
      '  conversation  c-1',
      '  since         2027-01-15 08:00',
      '  gave back     210.4 MiB',
      '  folder        /project',
      '  receipt       r-1',
    ]);
  });

  it('leaves out what is not known, and says why it did not wake', () => {
    const bare = { ...SIGN, conversation: null, freed: null, resume: null, trouble: 'no such file' };
    const [, , , , , shown, byHand, ...own] = sleeperWords(bare, []);
    expect(shown).not.toMatch(/conversation|gave back/);
    expect(shown?.split('\n').at(-1)).toBe('  did not wake  no such file');
    expect(byHand).toBe('cd /project && not known');
    expect(own).toEqual(['', '']);
  });

  it('has no control character but the ends of its lines, whatever it is told', () => {
    const evil = 'a\u001b[2J\u001b]0;x\u0007\r\n\u009b31m\u202eb';
    const words = sleeperWords(
      {
        ...{ receipt: 'r-1', session: evil, kind: evil, conversation: evil, since: evil, cwd: evil },
        ...{ freed: evil, resume: ['claude', evil], trouble: evil },
      },
      OWN,
    );
    expect(words[5]?.split('\n')).toHaveLength(10);
    for (const word of words.slice(5, 7))
      expect(word).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('is short, however long the names are', () => {
    const long = 'x'.repeat(10_000);
    const words = sleeperWords({ ...SIGN, session: long, cwd: long, trouble: long }, OWN);
    expect(words[5]?.length).toBeLessThan(1000);
  });

  it('shows no secret of the command that goes on by hand', () => {
    const words = sleeperWords(
      { ...SIGN, resume: ['claude', '--api-key', 'sk-ant-api03-abcdefghijkl'] },
      OWN,
    );
    expect(words.join(' ')).not.toContain('abcdefghijkl');
  });
});
