import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Hands } from '../../src/engine/act/hands.ts';
import { run } from '../../src/engine/act/run.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { type ClosingRoom, lives, receiptsIn, SHELL, untilGone } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { ReapingRoom } from '../engine/reaper/reaping-room.ts';
import { until } from '../support/until.ts';
import { agentsIn, paneSettings, startWorker } from './comes-back.ts';
import {
  asleep,
  attach,
  hibernate,
  leaves,
  noteWhoComes,
  panes,
  reopen,
  screen,
  second,
  seeingItsEnd,
  speaks,
  wake,
} from './sleep-scene.ts';

/** No form of a secret that anything would know. */
const VALUE = 'swordfish-of-friday';

describe.concurrent('one agent sleeps in a session', () => {
  test('and a second one is refused', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const receipt = await asleep({ room, hands });
    const pid = await second({ room, hands }, 'worker');
    const text = expect.stringContaining('sleeps in it already');
    expect(await hibernate({ room, hands })).toMatchObject({ state: 'refused', text });
    expect(lives(pid)).toBe(true);
    expect(receiptsIn(hands)).toEqual([receipt]);
    expect(await wake({ room, hands })).toMatchObject({ state: 'woken', receipt });
  });

  test('and the reaper leaves a second one alone', async () => {
    const room = new ReapingRoom({ prefer: 'hibernate' });
    try {
      room.modes.set('enforce');
      await room.worker('idle');
      const reaper = await room.compose();
      await room.until(reaper, 'closed');
      const hands = await room.eyes();
      const pid = await second({ room, hands }, 'idle');
      const { standing } = await room.round(reaper);
      expect(standing.sessions).toMatchObject([{ name: 'idle', guard: { code: 'asleep' } }]);
      expect(lives(pid)).toBe(true);
      await reaper.stop();
    } finally {
      room.leave();
    }
  });
});

describe.concurrent('what somebody set for the pane of an agent', () => {
  const remain = ({ tmux }: ClosingRoom, ...word: string[]) =>
    tmux.tmux('set-option', '-p', '-t', '=worker:', 'remain-on-exit', ...word);

  test('is as it was after a hibernation that failed', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'done+deaf');
    await remain(room, 'failed');
    const before = await paneSettings(room);
    expect(await hibernate({ room, hands })).toMatchObject({ state: 'failed' });
    expect(lives(pid)).toBe(true);
    expect(await paneSettings(room)).toBe(before);
  });

  test('keeps the pane also after the end of an agent that was woken twice', async ({
    staying: room,
    hands,
  }) => {
    await room.agent('worker', 'leaves');
    await remain(room, 'on');
    for (const _ of ['once', 'twice']) {
      await asleep({ room, hands });
      expect(await wake({ room, hands })).toMatchObject({ state: 'woken' });
      await speaks({ room, hands });
    }
    await leaves(room);
    expect(await panes(room, '#{pane_dead}')).toBe('1');
  });

  test('and a pane that had a shell below its agent stays as well', async ({ staying: room, hands }) => {
    await room.tmux.session('worker');
    const command = room.agents.argv('worker', 'leaves').join(' ');
    await room.tmux.tmux('send-keys', '-t', '=worker:', command, 'Enter');
    await room.agents.pid('worker');
    await speaks({ room, hands });
    await asleep({ room, hands });
    expect(await wake({ room, hands })).toMatchObject({ state: 'woken' });
    await speaks({ room, hands });
    await leaves(room);
    expect(await panes(room, '#{pane_dead}')).toBe('1');
  });
});

describe.concurrent('hooks of the user', () => {
  test('run when somebody attaches to wake an agent, and after that', async ({ staying: room }) => {
    const pressed = join(room.tmux.folder, 'pressed');
    const program = join(room.tmux.folder, 'wake.sh');
    writeFileSync(program, `echo "$@" >> '${pressed}'\n`);
    const hands = await room.hands({ wakesOnAttach: true, own: ['/bin/sh', program] });
    const came = await noteWhoComes(room);
    await room.agent('worker', 'leaves');
    const receipt = await asleep({ room, hands });
    const leave = await attach(room);
    await until(
      'Enter is pressed',
      () => (existsSync(pressed) ? readFileSync(pressed, 'utf8') : ''),
      (text) => text.includes(`wake ${receipt}`),
    );
    await until('their hook has run', came, (text) => text === '-x');
    await leave();
    expect(await wake({ room, hands })).toMatchObject({ state: 'woken' });
    const leaveAgain = await attach(room);
    await until('it runs again', came, (text) => text === '-xx');
    await leaveAgain();
  });

  test('press no key where panes are in step', async ({ staying: room }) => {
    const hands = await room.hands({ wakesOnAttach: true, own: ['/bin/sh', '/nowhere'] });
    const came = await noteWhoComes(room);
    await room.agent('worker', 'leaves');
    await asleep({ room, hands });
    const ran = join(room.tmux.folder, 'ran');
    const command = ['split-window', '-d', '-P', '-F', '#{pane_id}', '-t', '=worker:', 'sh', '-c', SHELL];
    const other = await room.tmux.tmux(...command);
    const shown = () => room.tmux.tmux('capture-pane', '-p', '-J', '-t', other);
    const types = async (text: string, shows: string) => {
      await room.tmux.tmux('send-keys', '-t', other, '-l', text);
      return until('it is typed', shown, (all) => all.includes(shows));
    };
    await types(`: > ${ran}`, `: > ${ran}`);
    await room.tmux.tmux('set-option', '-w', '-t', '=worker:', 'synchronize-panes', 'on');
    const leave = await attach(room);
    await until('their hook has run', came, (text) => text === '-x');
    await until(
      'ours have run',
      () => room.tmux.tmux('show-hooks', '-t', '=worker:'),
      (hooks) => !hooks.includes('send-keys'),
    );
    await leave();
    await room.tmux.tmux('set-option', '-w', '-t', '=worker:', 'synchronize-panes', 'off');
    await types('more', `: > ${ran}more`);
    expect(existsSync(ran)).toBe(false);
  });

  test('that start dead panes again send no first prompt twice', async ({ staying: room, hands }) => {
    const starts = join(room.tmux.folder, 'starts');
    await room.tmux.tmux('set-hook', '-g', 'pane-died', 'respawn-pane');
    await room.agent('worker', 'leaves', 'true', `echo prompt >> ${starts}; exec `);
    await asleep({ room, hands });
    expect(readFileSync(starts, 'utf8')).toBe('prompt\n');
    expect(await room.entry(hands, 'worker')).toMatchObject({ activity: 'asleep' });
  });
});

test('an agent whose pane has a hook of its own does not leave', async ({ staying: room, hands }) => {
  const { pid, paneId } = await room.agent('worker', 'leaves');
  await room.tmux.tmux('set-hook', '-p', '-t', paneId, 'pane-died', 'respawn-pane');
  const before = await paneSettings(room);
  const text = expect.stringContaining('hook of its own');
  expect(await hibernate({ room, hands })).toMatchObject({ state: 'refused', text });
  expect(lives(pid)).toBe(true);
  expect(await paneSettings(room)).toBe(before);
});

describe.concurrent('what is missing', () => {
  test('is told before the agent leaves, where it is its folder', async ({ staying: room, hands }) => {
    const folder = join(room.tmux.folder, 'project');
    mkdirSync(folder);
    const { pid } = await room.agent('worker', 'leaves', 'true', `cd ${folder}; exec `);
    rmSync(folder, { recursive: true });
    const text = expect.stringContaining('its folder is gone');
    expect(await hibernate({ room, hands })).toMatchObject({ state: 'refused', text });
    expect(lives(pid)).toBe(true);
    expect(receiptsIn(hands)).toEqual([]);
  });

  test('is not replaced by another conversation, where it is its archive', async ({
    staying: room,
    hands,
  }) => {
    // Without its archive only the shell would be known that its agent was started from.
    const argv = ['bash', '--norc', '--noprofile', '-i'];
    const env = { PS1: '$ ', HISTFILE: '' };
    expect(await run(hands, room.wish({ argv, env }))).toMatchObject({ state: 'started' });
    const command = room.agents.argv('worker', 'leaves').join(' ');
    await room.tmux.tmux('send-keys', '-t', '=worker:', command, 'Enter');
    await room.agents.pid('worker');
    await speaks({ room, hands });
    const receipt = await asleep({ room, hands });
    const archive = hands.archive.read(receipt);
    rmSync(archive.path, { recursive: true });
    expect(await wake({ room, hands })).toMatchObject({ state: 'not-kept' });
    expect(agentsIn(room)).toEqual([]);
    expect(await room.entry(hands, 'worker')).toMatchObject({ activity: 'asleep' });
  });
});

test('a value of a variable that a dying program prints is shown nowhere', async ({
  staying: room,
  hands,
}) => {
  const argv = room.agents.argv('worker', 'leaves');
  const env = { TOKEN: VALUE };
  const agent = { kind: 'scripted', conversation: null };
  await run(hands, room.wish({ argv, agent, env, given: env }));
  await room.agents.pid('worker');
  await speaks({ room, hands });
  await asleep({ room, hands });
  // tmux may lose what a program prints that ends before it was read.
  const isShown = `tmux capture-pane -p -t "$TMUX_PANE" | grep -q 'bad key'`;
  writeFileSync(
    room.agents.program,
    `#!/bin/sh\necho "bad key $TOKEN"\nuntil ${isShown}; do sleep 0.05; done\nexit 1\n`,
  );
  const result = await wake({ room, hands: seeingItsEnd(hands) });
  expect(result).toMatchObject({ state: 'sleeps-on', end: { screen: ['bad key ***'] } });
  const shown = await until(
    'it says why',
    () => screen(room),
    (text) => text.includes('did not wake'),
  );
  const argvOf = readFileSync(`/proc/${await panes(room, '#{pane_pid}')}/cmdline`, 'utf8');
  const everything = `${JSON.stringify(result)}${shown}${argvOf}${JSON.stringify(entriesOf(hands))}`;
  expect(everything).toContain('ended with status 1');
  expect(everything).not.toContain(VALUE);
});

test('a dead pane that another session shows does not stop reopen', async ({ staying: room, hands }) => {
  const pid = await startWorker({ room, hands }, 'leaves');
  // Somebody looks at its windows through a session of their own while the agent leaves.
  const group = ['-S', room.tmux.socketPath, 'new-session', '-d', '-t', '=worker', '-s', 'beside'];
  const onStep: Hands['onStep'] = (step, when) => {
    if (step === 'enter' && when === 'after') execFileSync('tmux', group);
  };
  const result = await hibernate({ room, hands: { ...hands, onStep } });
  expect(result.state).not.toBe('asleep');
  await untilGone(pid);
  expect(await reopen({ room, hands }, 'worker')).toMatchObject({ state: 'reopened' });
});
