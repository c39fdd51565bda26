import { describe, expect, it } from 'vitest';
import { isShell, paneCommand, startedWords } from '../../../src/core/close/pane-command.ts';

const running = (program: string, role = 'command') => ({
  processes: [
    { relation: 'foreground', role: 'command' },
    { relation: 'root', role, program },
  ],
});
const shown = (...command: string[]) => ({ paneId: '%2', command });

describe('what a pane ran of its own', () => {
  it('runs again where it still ran', () => {
    expect(paneCommand('%2', running('serve'), { ...shown('serve', '-p'), cwd: '/s' })).toEqual({
      ...{ command: ['serve', '-p'], cwd: '/s', missing: [] },
    });
    for (const command of [['serve >log 2>&1'], ['sh', '-c', 'serve -p'], ['serve', 'a;b']]) {
      expect(paneCommand('%2', running('serve'), shown(...command)).command).toEqual(command);
    }
    const own = ['/usr/bin/env', 'ROLLCALL_OWNER=me', 'sh', '-c', 'set up; serve'];
    expect(paneCommand('%2', running('serve'), shown(...own)).command).toEqual(own);
  });

  it('is the shell itself, however it was begun', () => {
    for (const command of [['exec env PS1=x bash -i'], ['bash', '--norc'], ['env', 'A=b', 'bash']]) {
      expect(paneCommand('%2', running('bash', 'shell'), shown(...command)).command).toEqual(command);
    }
    expect(paneCommand('%2', running('fish', 'shell'), shown('fish')).command).toEqual(['fish']);
  });

  it('is named and not run where it had ended', () => {
    const ended = ['pane %2: it had ended, or a part of it, and is not run again: make; exec bash'];
    expect(paneCommand('%2', running('bash', 'shell'), shown('make; exec bash'))).toEqual({
      ...{ command: null, missing: ended },
    });
    for (const command of [
      ['deploy; exec sleep 9'],
      ['deploy && tail -f f'],
      ['sh', '-c', 'deploy\nserve'],
      ['$(x) | y'],
    ]) {
      expect(paneCommand('%2', running('sleep'), shown(...command)).command).toBeNull();
    }
    expect(paneCommand('%2', { ...running('make'), isDead: true }, shown('make')).missing).toHaveLength(1);
    expect(paneCommand('%2', {}, shown('make', '--token=abc')).missing.join()).not.toContain('abc');
  });

  it('is nothing in a plain shell; one that cannot be told whole is named', () => {
    expect(paneCommand('%2', running('make'), null)).toEqual({ command: null, missing: [] });
    expect(paneCommand('%2', running('bash', 'shell'), { command: null }).missing).toEqual([]);
    expect(paneCommand('%2', running('serve'), { command: null }).missing.join()).toContain('too long');
    expect(paneCommand('%2', {}, { command: null }).missing).toEqual([]);
    expect(paneCommand('%2', running('serve'), { command: [3] })).toMatchObject({ command: [] });
  });

  it('stands behind what rollcall put before it', () => {
    expect(startedWords(['/usr/bin/env', '--', 'ROLLCALL_RUN=w', 'ROLLCALL_OWNER=me', 'a', 'b'])).toEqual([
      'a',
      'b',
    ]);
    expect(startedWords(['a', 'b'])).toEqual(['a', 'b']);
    expect([isShell(running('bash', 'shell')), isShell(running('make')), isShell({})]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
