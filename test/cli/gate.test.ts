import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  gateEndedDocumentSchema,
  gateStartDocumentSchema,
  gateStatusDocumentSchema,
} from '../../src/contract/gate-schemas.ts';
import { agentsIn, GateScene } from './gate-scene.ts';

let scene: GateScene;
beforeEach(() => {
  scene = new GateScene();
});
afterEach(() => scene.leave());

describe('rollcall gate start', () => {
  it('says what is asked for now, that shadow blocks nothing, and how to switch', async () => {
    const { exitCode, stdout, stderr } = await scene.call(
      ...['start', 'fix-12', '--task', 'fix the \u001b[31mparser', '--until', 'command:npm test'],
      ...['--until', 'clean', '--reinforce', '5', '--ttl', '2h'],
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const [contract] = scene.contracts;
    expect(stdout.replaceAll(contract?.id ?? '?', 'ID').replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'THEN')).toBe(
      [
        'fix-12: claude in %3 is to go on until 2 checks hold',
        '  fix the \\e[31mparser',
        '  · npm test exits 0 (not looked at yet)',
        '  · the work tree is clean (not looked at yet)',
        `  at most 5 times, until THEN (2h), checks run in ${scene.project}`,
        '  mode shadow: nothing is blocked yet, and what would have been is recorded (rollcall gate report). rollcall gate mode enforce switches',
        '  rollcall gate status shows how it stands; rollcall gate finish ID or abandon ID ends it',
        '',
      ].join('\n'),
    );
    expect(contract).toMatchObject({
      ...{ reinforce: 5, cwd: scene.project, project: scene.project, phase: 'open' },
      checks: [
        { check: { kind: 'command', argv: ['npm', 'test'], timeoutMs: 300_000 } },
        { check: { kind: 'clean' } },
      ],
      owner: { paneId: '%3', conversation: 'talk-3', agent: { kind: 'claude', pid: 5000 } },
    });
    expect(await scene.actions()).toEqual(['gate-start']);
  });

  it('S53: takes the agent whose pane it runs in, and needs a pane where there are two', async () => {
    scene.sessions = [agentsIn('two', { '%3': 'claude', '%4': 'gemini' }, scene.project)];
    const several = await scene.call('start', 'two');
    expect(several).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('--pane') });
    scene.inside('%4');
    expect(await scene.call('start')).toMatchObject({ exitCode: 0 });
    expect(await scene.call('start', 'two', '--pane', '%3')).toMatchObject({ exitCode: 0 });
    expect(scene.contracts.map(({ owner }) => [owner.paneId, owner.agent.kind]).sort()).toEqual([
      ['%3', 'claude'],
      ['%4', 'gemini'],
    ]);
    const again = await scene.call('start', '%3');
    expect(again).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('has a contract already') });
    expect(v.parse(gateStartDocumentSchema, await scene.json('start', '%3', '--replace'))).toMatchObject({
      ...{ result: 'replaced', contract: { mode: 'shadow', owner: { paneId: '%3' } }, warnings: [] },
    });
  });

  it('S53: is refused where the pane around it cannot be proven, and outside of tmux needs a name', async () => {
    expect(await scene.call('start')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('outside of tmux, gate start needs a SESSION'),
    });
    scene.inside('%3');
    scene.sessions = [
      {
        ...agentsIn('fix-12', { '%3': 'claude' }, scene.project),
        panes: [{ ...agentsIn('x', { '%3': 'claude' }, '/').panes[0]!, pid: 4240 }],
      },
    ];
    expect(await scene.call('start')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('does not run in %3'),
    });
    expect(scene.contracts).toEqual([]);
  });

  it('S53: is refused inside of a server that works for the agents of several panes', async () => {
    scene.inside('%3');
    scene.isSharedAround = true;
    expect(await scene.call('start')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/several panes\n {2}hint: name the session: rollcall gate start SESSION/),
    });
    expect(await scene.call('start', 'fix-12')).toMatchObject({ exitCode: 0 });
    const [contract] = scene.contracts;
    expect(await scene.call('finish')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('rollcall gate finish ID; rollcall gate status lists them'),
    });
    expect(await scene.call('finish', contract?.id ?? '', '--force')).toMatchObject({ exitCode: 0 });
  });

  it('runs checks in the folder it is called in from inside, in the agent’s from outside', async () => {
    mkdirSync(join(scene.project, 'web'));
    scene.cwd = join(scene.project, 'web');
    await scene.call('start', 'fix-12');
    expect(scene.contracts[0]?.cwd).toBe(scene.project);
    scene.inside('%3');
    await scene.call('start', '--replace');
    expect(scene.contracts.find(({ phase }) => phase === 'open')?.cwd).toBe(scene.cwd);
    await scene.call('start', '--replace', '--cwd', '..');
    expect(scene.contracts.find(({ phase }) => phase === 'open')?.cwd).toBe(scene.project);
  });

  it('warns where the hooks of the agent would not ask the gate', async () => {
    const warned = async (hooks: GateScene['hooks']) => {
      scene.hooks = hooks;
      const { stderr, exitCode } = await scene.call('start', 'fix-12', '--replace');
      expect(exitCode).toBe(0);
      return stderr;
    };
    expect(await warned({ state: 'not-installed' })).toBe(
      '! the hooks of claude are not installed, so none of its stops is seen: rollcall hooks install claude\n',
    );
    expect(await warned({ state: 'outdated' })).toContain('are outdated, so the gate may not be asked');
    expect(await warned({ state: 'unreadable' })).toContain('cannot be read');
    expect(await warned({ isSwitchedOff: true })).toContain('keep it from running hooks');
    expect(await warned({ review: 'changed' })).toContain('has not reviewed the hooks');
    expect(await warned({})).toBe('');
    scene.hooks = { state: 'not-installed' };
    expect(await scene.json('start', 'fix-12', '--replace')).toMatchObject({
      warnings: [expect.stringContaining('not installed')],
    });
  });

  it('S53: says so where a contract cannot be kept, and then there is none', async () => {
    await scene.call('off');
    writeFileSync(join(scene.store.folder, 'contracts'), '');
    expect(await scene.call('start', 'fix-12')).toMatchObject({
      ...{ exitCode: 1, stdout: '' },
      stderr: expect.stringMatching(/^rollcall: it could not be kept: .*contracts/),
    });
    expect(await scene.actions()).toEqual(['gate-switch']);
  });

  it('says what it does not understand before it does anything', async () => {
    const wrong: [string[], number, RegExp][] = [
      [['--until', 'tests'], 2, /there is no check 'tests'/],
      [['--until', 'command:'], 2, /nothing stands behind/],
      [['--ttl', '10s'], 2, /--ttl=10s is below 1m/],
      [['--ttl', '31d'], 2, /--ttl=31d is above 30d/],
      [['--timeout', 'long'], 2, /--timeout=long/],
      [['--reinforce', '4'], 2, /cannot be '4'/],
      [['--pane', '3'], 2, /--pane=3 is no pane/],
      [['--task', 'x'.repeat(501)], 2, /--task is too long/],
      [['--cwd', '/nowhere/at/all'], 1, /is no folder/],
      [['--pane', '%9'], 4, /has no pane %9/],
    ];
    for (const [flags, exitCode, text] of wrong) {
      const ran = await scene.call('start', 'fix-12', ...flags);
      expect(ran, flags.join(' ')).toMatchObject({ exitCode, stderr: expect.stringMatching(text) });
    }
    expect(await scene.call('start', '--pane', '%3')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--pane needs a SESSION'),
    });
    scene.sessions = [agentsIn('plain', { '%3': 'none' }, scene.project)];
    expect(await scene.call('start', 'plain')).toMatchObject({ exitCode: 3 });
    expect(scene.contracts).toEqual([]);
  });
});

describe('rollcall gate status', () => {
  it('shows nothing, then every check as it was last seen, and as it is with --run', async () => {
    expect((await scene.call('status')).stdout).toContain('No open contracts; the mode here is shadow.');
    await scene.call('start', 'fix-12', '--task', 'T', '--until', 'file:done', '--until', 'command:false');
    const { stdout } = await scene.call('status');
    expect(stdout).toContain(
      'fix-12  claude in %3 · open · shadow · would have been kept going 0 of 3 times · until ',
    );
    expect(stdout).toContain('· done exists (not looked at yet)');
    expect(stdout).toContain(`conversation talk-3 · checks run in ${scene.project}`);
    const ran = await scene.call('status', '--run');
    expect(ran.stdout).toMatch(/✗ false exits 0: .*\((?:now|\d+s ago)\)/);
    expect(ran.stdout).toMatch(/✗ done exists: /);
    // Progress is for a terminal.
    expect(ran.stderr).toBe('');
    scene.write('done', '');
    const document = v.parse(gateStatusDocumentSchema, await scene.json('status', '--run'));
    expect(document).toMatchObject({
      ...{ mode: 'shadow', switchedOff: null, problems: [] },
      contracts: [
        {
          task: 'T',
          phase: 'open',
          used: 0,
          reinforce: 3,
          checks: [{ result: { state: 'met' } }, { result: { state: 'unmet' } }],
        },
      ],
    });
  });

  it('takes a session or an id, --all shows what ended, and a damaged file is told of', async () => {
    await scene.call('start', 'fix-12');
    await scene.call('abandon', 'fix-12');
    await scene.call('start', 'fix-12');
    const ids = async (...argv: string[]) => {
      const { contracts } = v.parse(gateStatusDocumentSchema, await scene.json('status', ...argv));
      return contracts.map(({ phase }) => phase);
    };
    expect(await ids()).toEqual(['open']);
    expect(await ids('--all')).toEqual(['open', 'abandoned']);
    scene.looks = 0;
    expect(await ids(scene.contracts.find(({ phase }) => phase === 'abandoned')?.id ?? '')).toEqual([
      'abandoned',
    ]);
    expect(scene.looks).toBe(0);
    expect(await ids('fix-12')).toEqual(['open']);
    expect(await scene.call('status', 'fix-13')).toMatchObject({ exitCode: 4 });
    writeFileSync(join(scene.store.folder, 'contracts', 'deadbeef.json'), '{');
    expect((await scene.call('status')).stdout).toContain('! a contract cannot be read, and holds nobody:');
  });

  it('S53: shows what is over its time as over, though nobody has stopped since', async () => {
    await scene.call('start', 'fix-12', '--ttl', '1m');
    const [contract] = scene.contracts;
    scene.store.save({ ...contract!, expiresAt: Date.now() - 1 });
    expect((await scene.call('status')).stdout).toContain('No open contracts');
    expect((await scene.call('status', '--all')).stdout).toContain('· expired ·');
    expect(await scene.call('finish', 'fix-12')).toMatchObject({ exitCode: 3 });
  });
});

describe('rollcall gate finish and abandon', () => {
  it('finish looks at the checks, is refused with what is missing, and ends it when they hold or with --force', async () => {
    await scene.call('start', 'fix-12', '--until', 'file:done', '--until', 'command:true');
    const refused = await scene.call('finish', 'fix-12');
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
    expect(refused.stderr).toMatch(/the work is not finished\n {2}done exists: .*\n {2}hint: .*--force/);
    expect(await scene.json('finish', 'fix-12')).toMatchObject({
      error: { code: 'refused', exitCode: 3, details: [expect.stringContaining('done exists')] },
    });
    expect(scene.contracts[0]).toMatchObject({ phase: 'open', checks: [{ result: { state: 'unmet' } }, {}] });
    scene.write('done', '');
    expect(await scene.call('finish', 'fix-12')).toMatchObject({ exitCode: 0, stdout: 'fix-12: finished\n' });
    expect(await scene.call('finish', 'fix-12')).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("'fix-12' has no open contract"),
    });
    await scene.call('start', 'fix-12', '--until', 'file:never');
    const forced = await scene.call('finish', 'fix-12', '--force');
    expect(forced.stdout).toMatch(/^fix-12: finished, although 1 thing is missing\n {2}never exists: /);
    expect(await scene.actions()).toEqual(['gate-start', 'gate-end', 'gate-start', 'gate-end']);
  });

  it('S53: from inside mean the contract of that very pane', async () => {
    scene.sessions = [agentsIn('two', { '%3': 'claude', '%4': 'gemini', '%5': 'none' }, scene.project)];
    await scene.call('start', 'two', '--pane', '%3');
    await scene.call('start', 'two', '--pane', '%4');
    expect(await scene.call('abandon', 'two')).toMatchObject({
      exitCode: 5,
      stderr: expect.stringMatching(/2 open contracts\n.*in %[34]/),
    });
    scene.inside('%5');
    expect(await scene.call('abandon')).toMatchObject({ exitCode: 4 });
    scene.inside('%4');
    const ended = v.parse(gateEndedDocumentSchema, await scene.json('abandon', '--reason', 'no\u001b time'));
    expect(ended).toMatchObject({
      ...{ result: 'abandoned', isForced: false },
      contract: { phase: 'abandoned', owner: { paneId: '%4' }, ended: { text: 'no\\e time' } },
    });
    expect(scene.contracts.find(({ phase }) => phase === 'open')?.owner.paneId).toBe('%3');
  });

  it('S53: a contract of a session that is gone is ended by its name, key or id', async () => {
    await scene.call('start', 'fix-12');
    const [contract] = scene.contracts;
    scene.sessions = [];
    expect(await scene.call('abandon', 'fix-13')).toMatchObject({ exitCode: 4 });
    scene.looks = 0;
    expect(await scene.call('abandon', contract?.id ?? '')).toMatchObject({ exitCode: 0 });
    expect(scene.looks).toBe(0);
    scene.sessions = [agentsIn('fix-12', { '%3': 'claude' }, scene.project)];
    await scene.call('start', 'fix-12');
    scene.sessions = [];
    expect(await scene.call('abandon', 'fix-12')).toMatchObject({
      exitCode: 0,
      stdout: 'fix-12: given up\n',
    });
  });

  it('S1: another session that has the name by now is not meant', async () => {
    await scene.call('start', 'fix-12');
    const later = agentsIn('fix-12', { '%3': 'claude' }, scene.project);
    scene.sessions = [{ ...later, key: 'another', server: { ...later.server, pid: 900 } }];
    expect(await scene.call('abandon', 'fix-12')).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('has no open contract'),
    });
    // A pane of this number on another server is another pane.
    scene.env.TMUX = '/tmp/tmux-1000/default,900,1';
    scene.env.TMUX_PANE = '%3';
    expect(await scene.call('abandon')).toMatchObject({ exitCode: 4 });
    // Nor is a server that has the number of an earlier one that earlier one.
    scene.sessions = [{ ...later, key: 'another', server: { ...later.server, startTicks: 10 } }];
    scene.inside('%3');
    expect(await scene.call('abandon')).toMatchObject({ exitCode: 4 });
    expect(scene.contracts[0]?.phase).toBe('open');
  });

  it('S4: a pane that was moved to another session is found there', async () => {
    await scene.call('start', 'fix-12');
    const moved = agentsIn('elsewhere', { '%3': 'claude' }, scene.project);
    scene.sessions = [agentsIn('fix-12', { '%8': 'none' }, scene.project), moved];
    expect(await scene.call('abandon', 'elsewhere')).toMatchObject({ exitCode: 0 });
  });
});
