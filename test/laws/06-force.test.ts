import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { hasWorlds, World } from './world.ts';

describe.skipIf(!hasWorlds)('law 6: force ends what it lists, and nothing that is not its own', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const called = (name: string) => `bash -c 'exec -a ${name} sleep 100000'`;
  const found = (name: string) =>
    world.processes().find(({ argv, state }) => argv[0] === name && state !== 'Z');
  const pidOf = async (name: string) => (await until(`${name} runs`, () => found(name)))?.pid ?? 0;

  test('an empty pane has no process, and no process without a session is its own', async () => {
    const bystanders = await world.bystanders();
    // Entered from outside of the namespace, they have session id 0 here.
    world.start(['bash', '-c', 'exec -a innocent sleep 100000']);
    const innocent = await pidOf('innocent');
    await world.session('forced');
    await world.sh('echo shown | tmux split-window -d -I -t =forced:');
    const pids = await world.tmux('list-panes', '-t', '=forced:', '-F', '#{pane_pid}');
    expect(pids.split('\n')).toContain('0');
    await world.rollcall(['close', 'forced', '--force']);
    expect(world.isAlive(innocent)).toBe(true);
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('an empty pane does not hide what left another pane', async () => {
    await world.session(
      'stray',
      'bash',
      '-c',
      `setsid ${called('strayed')} & sleep 0.2; exec env PS1='$ ' bash --norc`,
    );
    await pidOf('strayed');
    await world.session('beside');
    await world.sh('echo shown | tmux split-window -d -I -t =beside:');
    await until(
      'it is told',
      () => world.entry('stray'),
      ({ blockers }) => blockers.some(({ code }) => code === 'nothing-running' || code === 'nothing-outside'),
    );
    // Its parent goes, and it is known by its mark alone.
    await world.tmux('respawn-pane', '-k', '-t', '=stray:', 'env', 'PS1=$ ', 'bash', '--norc', '-i');
    await until(
      'it is told as a stray',
      () => world.entry('stray'),
      ({ blockers }) => blockers.some(({ code }) => code === 'nothing-outside'),
    );
  });

  test('S6: the number of a dead pane that another leader has by now is not its own', async () => {
    const { pid } = await world.session('dead', 'sleep', '100000');
    await world.tmux('set-option', '-w', '-t', '=dead:', 'remain-on-exit', 'on');
    await world.sh(`kill -KILL ${pid}`);
    const server = await world.tmux('display-message', '-p', '#{pid}');
    await until('tmux has noticed', async () => {
      // tmux before 3.6 may miss it.
      await world.sh(`kill -CHLD ${server}`);
      return world.processes().every((one) => one.pid !== pid);
    });
    writeFileSync(`${world.folder}/build.sh`, `${called('compiler')} & wait`);
    await until('the number is taken', async () => {
      await world.sh(
        `echo ${pid - 1} > /proc/sys/kernel/ns_last_pid; setsid bash build.sh >/dev/null 2>&1 &`,
      );
      const taken = (await until('it builds', () => found('compiler')))?.ppid ?? 0;
      if (taken !== pid) await world.sh(`kill -KILL ${taken} ${await pidOf('compiler')}`);
      return taken === pid;
    });
    await world.rollcall(['close', 'dead', '--force']);
    expect(await world.names()).not.toContain('dead');
    expect([found('compiler')?.ppid, world.isAlive(pid)]).toEqual([pid, true]);
  });

  test('editors, their terminals and keepers of keys live on; every process that it ends is named first', async () => {
    const bystanders = await world.bystanders();
    writeFileSync(`${world.folder}/editor.sh`, `${called('terminal-work')} & wait`);
    const script = [
      `setsid bash -c 'exec -a code bash editor.sh' &`,
      `setsid ${called('ssh-agent')} &`,
      `setsid ${called('left-one')} & setsid ${called('left-two')} & setsid ${called('left-three')} &`,
      `${called('front-job')}; :`,
    ].join('\n');
    await world.session('forced', 'bash', '-c', script);
    const kept = [await pidOf('code'), await pidOf('terminal-work'), await pidOf('ssh-agent')];
    const ended = ['left-one', 'left-two', 'left-three', 'front-job'];
    const pids = await Promise.all(ended.map(pidOf));
    const { exitCode, stderr } = await world.rollcall(['close', 'forced', '--force']);
    expect(exitCode).toBe(0);
    for (const [at, name] of ended.entries()) expect(stderr).toContain(`${name} (pid ${pids[at]})`);
    expect(pids.filter((pid) => world.isAlive(pid))).toEqual([]);
    expect(kept.filter((pid) => !world.isAlive(pid))).toEqual([]);
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('a terminal window of any name lives on, with what runs in it', async () => {
    const bystanders = await world.bystanders();
    const window = (name: string, inside: string) =>
      `exec -a ${name} script -qfc "exec -a ${inside} sleep 100000" /dev/null </dev/null >/dev/null 2>&1`;
    writeFileSync(`${world.folder}/window.sh`, window('ghostty', 'at-the-prompt'));
    writeFileSync(`${world.folder}/child.sh`, window('newterm', 'at-its-prompt'));
    const script = `setsid -f bash window.sh; setsid bash child.sh & ${called('front-job')}; :`;
    await world.session('forced', 'bash', '-c', script);
    const kept = await Promise.all(['ghostty', 'at-the-prompt', 'newterm', 'at-its-prompt'].map(pidOf));
    const job = await pidOf('front-job');
    const { exitCode, stderr } = await world.rollcall(['close', 'forced', '--force']);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('keeps a terminal of its own')]);
    expect([await world.names(), world.isAlive(job)]).toEqual([
      expect.not.arrayContaining(['forced']),
      false,
    ]);
    expect(kept.filter((pid) => !world.isAlive(pid))).toEqual([]);
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('what records the terminal of the pane, and what runs in that, is the pane’s own', async () => {
    await world.session('forced', 'script', '-qfc', 'exec -a recorded sleep 100000', '/dev/null');
    const recorded = await pidOf('recorded');
    const recorder = world.processes().find(({ pid }) => pid === recorded)?.ppid ?? 0;
    const planned = await world.json<{
      sessions: [{ processes: { pid: number; what: string; why: string | null }[] }];
    }>(['close', 'forced', '--force', '--dry-run']);
    for (const pid of [recorder, recorded]) {
      expect(planned.sessions[0].processes).toContainEqual(
        expect.objectContaining({ pid, what: 'end', why: null }),
      );
    }
    expect((await world.rollcall(['close', 'forced', '--force'])).exitCode).toBe(0);
    expect([world.isAlive(recorder), world.isAlive(recorded)]).toEqual([false, false]);
  });

  test('--dry-run and the document name every process, too', async () => {
    await world.session(
      'forced',
      'bash',
      '-c',
      `setsid ${called('left-one')} & setsid ${called('left-two')} & ${called('front')}`,
    );
    const names = ['left-one', 'left-two', 'front'];
    const pids = await Promise.all(names.map(pidOf));
    const wanted = names.map((program, at) => expect.objectContaining({ program, pid: pids[at] }));
    type Listing = { sessions: [{ processes: { program: string; pid: number; what: string }[] }] };
    const planned = await world.json<Listing>(['close', 'forced', '--force', '--dry-run']);
    expect(planned.sessions[0].processes).toEqual(expect.arrayContaining(wanted));
    const done = await world.json<Listing>(['close', 'forced', '--force']);
    expect(done.sessions[0].processes).toEqual(expect.arrayContaining(wanted));
  });
});
