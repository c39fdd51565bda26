import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { pause } from '../../../../src/adapters/files/lock-file.ts';
import { readProcessStat } from '../../../../src/adapters/lock/process-stat.ts';
import type { Spawn } from '../../../../src/adapters/programs/run-program.ts';
import type { ProcessMark } from '../../../../src/core/sight/identity.ts';
import type { PaneTarget, TmuxActuator } from '../../../../src/ports/actuator.ts';
import { canBeHeadless, HEADLESS_PROGRAM } from '../../../support/headless.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { until } from '../../../support/until.ts';
import { openRoom } from '../room.ts';
import { actuatorFor, targetOf, termsOf, untilRuns } from './act-room.ts';

const room = openRoom();
let tmux: PrivateTmux;
let actuator: TmuxActuator;
beforeEach(() => {
  tmux = room.newServer();
  actuator = actuatorFor(tmux);
});

const markOf = (pid: number): ProcessMark => {
  const startTicks = readProcessStat(pid)?.startTicks;
  if (startTicks === undefined) throw new Error(`process ${pid} is gone`);
  return { pid, startTicks };
};

const signal = (...given: Parameters<NonNullable<TmuxActuator['signal']>>) => {
  if (actuator.signal === null) throw new Error('tmux cannot signal here');
  return actuator.signal(...given);
};

const isGone = ({ pid, startTicks }: ProcessMark): boolean => {
  const found = readProcessStat(pid);
  return found === null || found.startTicks !== startTicks || found.state === 'Z';
};

const untilGone = (mark: ProcessMark) => until('it has ended', () => isGone(mark), Boolean);

async function working(name = 'one', ...argv: string[]): Promise<{ pane: PaneTarget; mark: ProcessMark }> {
  const { paneId } = await tmux.session(name, ...(argv.length > 0 ? argv : ['sleep', '1000']));
  await untilRuns(tmux, paneId, argv.length === 0 || argv.at(-1)?.includes('exec') ? 'sleep' : 'sh');
  const pane = await targetOf(tmux, paneId);
  return { pane, mark: markOf(pane.pid) };
}

const childOf = async ({ pid }: ProcessMark): Promise<ProcessMark> => {
  const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return markOf(Number(await until('it has a child', children, Boolean)));
};

describe('a signal that tmux sends', () => {
  it('ends what was judged, and shows nothing to anybody', async () => {
    await working('other');
    const { pane, mark } = await working();
    const terms = await termsOf(actuator, pane.session);
    expect(await signal(terms, [mark], 'SIGTERM')).toEqual({ state: 'done' });
    await untilGone(mark);
    const modes = await tmux.tmux('list-panes', '-a', '-F', '#{pane_in_mode}');
    expect(modes.split('\n')).toEqual(['0']);
  });

  it('S2: reaches nobody who has its number by now, and the others all the same', async () => {
    await working('other');
    const first = await working('one', 'sh', '-c', 'exec sleep 1000');
    const bystander = await working('two');
    const terms = await termsOf(actuator, first.pane.session);
    const { pid, startTicks } = bystander.mark;
    const reused = { pid, startTicks: startTicks - 1 };
    expect(await signal(terms, [reused, { pid: 4_194_305, startTicks: 7 }, first.mark], 'SIGKILL')).toEqual({
      state: 'done',
    });
    await untilGone(first.mark);
    expect(isGone(bystander.mark)).toBe(false);
  });

  it('S19: is not sent where the session does not stand as it stood', async () => {
    const { pane, mark } = await working();
    const terms = await termsOf(actuator, pane.session);
    await tmux.tmux('set-option', '-t', pane.session.sessionId, '@rollcall_held', '1');
    expect(await signal(terms, [mark], 'SIGKILL')).toEqual({ state: 'changed', text: 'it is held' });
    await tmux.tmux('run-shell', 'true');
    expect(isGone(mark)).toBe(false);
  });

  it('finds the start behind a name that holds anything, and reaches what is stopped', async () => {
    const program = join(tmux.folder, 'a) Z 1 (b');
    copyFileSync('/bin/sleep', program);
    const { pane, mark: shell } = await working('one', 'sh', '-c', `'${program}' 1000 & wait`);
    const mark = await childOf(shell);
    const comm = () => readFileSync(`/proc/${mark.pid}/comm`, 'utf8');
    await until('it bears its name', comm, (name) => name.startsWith('a)'));
    process.kill(mark.pid, 'SIGSTOP');
    const state = () => readProcessStat(mark.pid)?.state;
    await until('it is stopped', state, (found) => found === 'T');
    const terms = await termsOf(actuator, pane.session);
    expect(await signal(terms, [mark], 'SIGTERM')).toEqual({ state: 'done' });
    await untilGone(mark);
  });

  it.runIf(canBeHeadless)('reaches what has ended its first thread and works on', async () => {
    const script = 'python3 -c "$0" & wait';
    const { paneId } = await tmux.session('one', 'sh', '-c', script, HEADLESS_PROGRAM);
    const pane = await targetOf(tmux, paneId);
    const mark = await childOf(markOf(pane.pid));
    const stat = () => readFileSync(`/proc/${mark.pid}/stat`, 'latin1');
    await until('its first thread has ended', stat, (line) => line.includes(') Z '));
    expect(isGone(mark)).toBe(false);
    const terms = await termsOf(actuator, pane.session);
    expect(await signal(terms, [mark], 'SIGKILL')).toEqual({ state: 'done' });
    await untilGone(mark);
  });

  it('is sent to all of them, also where the first takes its server along', async () => {
    const { pane, mark } = await working('one', 'sh', '-c', 'trap "" HUP; sleep 1000 & exec sleep 1001');
    const child = await childOf(mark);
    const terms = await termsOf(actuator, pane.session);
    const marks = [mark, child];
    expect(await signal(terms, marks, 'SIGTERM')).toEqual({ state: 'done' });
    for (const one of marks) await untilGone(one);
  });

  it('is for processes only', async () => {
    const { pane, mark } = await working();
    const terms = await termsOf(actuator, pane.session);
    for (const pid of [0, 1, -1, Number.NaN]) {
      expect(await signal(terms, [mark, { pid, startTicks: 5 }], 'SIGKILL')).toMatchObject({
        state: 'failed',
      });
    }
    expect(await signal(terms, [{ ...mark, startTicks: 0 }], 'SIGKILL')).toMatchObject({ state: 'failed' });
    expect(isGone(mark)).toBe(false);
  });

  it('is not on offer where a shell cannot know a process again', () => {
    expect(actuatorFor(tmux, {}, { platform: 'darwin' }).signal).toBeNull();
  });
});

describe('a server that stood still', () => {
  it('S5: does nothing later that nobody waits for any more', async () => {
    const { pane, mark } = await working();
    const hasty = actuatorFor(tmux, {}, { timeoutMs: 1500 });
    const terms = await termsOf(actuator, pane.session);
    const { pid } = pane.session.server;
    process.kill(pid, 'SIGSTOP');
    try {
      const acts = [
        hasty.removeSession(terms),
        hasty.signal?.(terms, [mark], 'SIGKILL'),
        hasty.type(pane, 'text', terms),
      ];
      for (const act of acts) expect(await act).toMatchObject({ state: 'failed' });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await tmux.tmux('run-shell', 'true');
    expect(await tmux.tmux('list-sessions', '-F', '#{session_name}')).toBe('one');
    expect(isGone(mark)).toBe(false);
  });

  it('S5: nor where it took long to tell how the session stands', async () => {
    const { pane } = await working();
    // From the beginning of a second to the beginning of the next one.
    const late: Spawn = (...words) => {
      while (Date.now() % 1000 > 100) pause(10);
      pause(1000);
      return spawn(...words);
    };
    const terms = await termsOf(actuatorFor(tmux, {}, { spawn: late }), pane.session);
    const hasty = actuatorFor(tmux, {}, { timeoutMs: 1500 });
    const { pid } = pane.session.server;
    process.kill(pid, 'SIGSTOP');
    try {
      expect(await hasty.removeSession(terms)).toMatchObject({ state: 'failed' });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await tmux.tmux('run-shell', 'true');
    expect(await tmux.tmux('list-sessions', '-F', '#{session_name}')).toBe('one');
  });

  it('does what it was asked in time', async () => {
    const { pane } = await working();
    const terms = await termsOf(actuator, pane.session);
    const { pid } = pane.session.server;
    process.kill(pid, 'SIGSTOP');
    const waker = spawn('sh', ['-c', `sleep 0.3; kill -CONT ${pid}`], { stdio: 'ignore' });
    try {
      expect(await actuator.removeSession(terms)).toEqual({ state: 'done' });
    } finally {
      waker.kill();
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // It went with its last session.
      }
    }
  });
});
