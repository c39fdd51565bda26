import { describe, expect, it } from 'vitest';
import { paneIn } from '../../../src/core/close/pane-command.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';

/** The programs that are named of a shell in which this ran. */
function named(...notes: JsonObject[]): readonly string[] | undefined {
  const root = { relation: 'root', role: 'shell', program: 'bash', command: 'bash' };
  const processes = [root, ...notes.map((note) => ({ role: 'command', ...note }))];
  return paneIn({ paneId: '%1', processes }, [], () => null)[0]?.programs;
}

describe('what ran in a pane and does not come back', () => {
  it('is named by its program alone, once', () => {
    expect(named({ command: 'serve --pw hunter' }, { command: 'serve --pw other' })).toEqual(['serve']);
    expect(named({ command: '/opt/serve --pw hunter/x' })).toEqual(['serve']);
    expect(named({ command: '/opt/my serve hunter', argv: ['/opt/my serve', 'hunter'] })).toEqual([
      'a command',
    ]);
    expect(
      named({ command: 'python3 -c hunter', argv: ['python3', '-c', 'hunter'], program: 'hunter' }),
    ).toEqual(['python3']);
    expect(named({})).toEqual([]);
  });

  it('is named as a script, where a shell runs one', () => {
    const argv = ['/bin/bash', '/opt/deploy', 'hunter'];
    expect(named({ command: argv.join(' '), argv, program: 'deploy' })).toEqual(['deploy']);
    expect(named({ command: argv.join(' '), argv })).toEqual(['bash']);
  });

  it('is named where its shell is started again, with options of its own', () => {
    const root = { relation: 'root', role: 'shell', program: 'bash', command: 'bash --norc' };
    const processes = [root, { role: 'command', command: 'serve 3' }];
    const shown = [{ paneId: '%1', command: ['bash', '--norc'] }];
    const [pane] = paneIn({ paneId: '%1', processes }, shown, () => null);
    expect(pane).toMatchObject({ own: { command: ['bash', '--norc'] }, programs: ['serve'] });
  });

  it('is no program that somebody ran, where it is a shell, an agent or a sleeper', () => {
    const notes = ['shell', 'agent', 'sleeper'].map((role) => ({ role, command: 'it' }));
    expect(named(...notes)).toEqual([]);
  });

  it('is not named a second time where the command of the pane is', () => {
    const note = { relation: 'root', role: 'command', program: 'deploy', command: 'deploy 3' };
    const processes = [note, { role: 'command', command: 'sleep 3' }];
    const [pane] = paneIn(
      { paneId: '%1', processes },
      [{ paneId: '%1', command: ['deploy 3; x'] }],
      () => null,
    );
    expect(pane).toMatchObject({ own: { named: 'deploy' }, programs: ['sleep'] });
  });
});
