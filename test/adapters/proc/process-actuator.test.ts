import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createProcessActuator } from '../../../src/adapters/proc/process-actuator.ts';
import { OwnProcess } from '../../support/own-process.ts';
import { until } from '../../support/until.ts';
import { RealProcesses, startTicksOf } from './real-processes.ts';

const processes = new RealProcesses();
afterEach(() => processes.endAll());

const actuator = createProcessActuator();
const isRoot = process.getuid?.() === 0;

async function sleeping() {
  const { pid } = await processes.start(['sleep', '1000']);
  return { pid, startTicks: startTicksOf(pid) ?? 0 };
}

/** A process namespace in which the next number can be chosen; where the kernel refuses one, S6 cannot be forced. */
const NAMESPACE = ['unshare', '--map-root-user', '--pid', '--fork', '--mount-proc'];
const hasNamespace = (() => {
  try {
    const probe = 'echo 100 > /proc/sys/kernel/ns_last_pid';
    execFileSync('unshare', [...NAMESPACE.slice(1), 'sh', '-ec', probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('signalling a process', () => {
  it('S42: refuses every process that rollcall itself runs below', () => {
    const parent = { pid: process.ppid, startTicks: startTicksOf(process.ppid) ?? 0 };
    // SIGCONT does nothing to one that runs.
    expect(actuator.signal(parent, 'SIGCONT')).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('runs below'),
    });
  });

  it('S46: ends it, also when it is stopped', async () => {
    const target = await sleeping();
    process.kill(target.pid, 'SIGSTOP');
    // A signal that comes before the stop would end it at once.
    await until('it is stopped', () => readFileSync(`/proc/${target.pid}/stat`, 'utf8').includes(') T '));
    expect(actuator.signal(target, 'SIGTERM')).toEqual({ state: 'sent' });
    expect(actuator.signal(target, 'SIGCONT')).toEqual({ state: 'sent' });
    await until('it has ended', () => startTicksOf(target.pid) === undefined);
    expect(actuator.signal(target, 'SIGKILL')).toEqual({ state: 'gone' });
  });

  it('S6: leaves a process alone that started at another time', async () => {
    const target = await sleeping();
    for (const startTicks of [target.startTicks - 1, target.startTicks + 1]) {
      expect(actuator.signal({ ...target, startTicks }, 'SIGKILL')).toEqual({ state: 'gone' });
    }
    expect(startTicksOf(target.pid)).toBe(target.startTicks);
  });

  it.each([0, -1, 1, 1.5, Number.NaN, process.pid])(
    'never signals %d, nor one whose start is not known',
    async (pid) => {
      expect(actuator.signal({ pid, startTicks: startTicksOf(pid) ?? 1 }, 'SIGCONT')).toMatchObject({
        state: 'refused',
      });
      const target = await sleeping();
      expect(actuator.signal({ ...target, startTicks: 0 }, 'SIGKILL')).toMatchObject({ state: 'refused' });
      expect(startTicksOf(target.pid)).toBe(target.startTicks);
    },
  );

  it('S34: says so when it cannot look, and does nothing', async () => {
    const target = await sleeping();
    const blind = createProcessActuator({ sense: () => ({ state: 'refused', code: 'EACCES' }) });
    expect(blind.signal(target, 'SIGKILL')).toEqual({
      state: 'refused',
      text: `process ${target.pid} cannot be looked at: EACCES`,
    });
    const empty = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'proc-'));
    expect(createProcessActuator({ procRoot: empty }).signal(target, 'SIGKILL')).toEqual({ state: 'gone' });
    rmSync(empty, { recursive: true });
    expect(startTicksOf(target.pid)).toBe(target.startTicks);
  });

  it('says that it is gone when it ends after the last look', () => {
    const late = createProcessActuator({ sense: () => ({ state: 'read', startTicks: 7, hasEnded: false }) });
    // Above every pid_max, so that nobody has it.
    expect(late.signal({ pid: 4_194_305, startTicks: 7 }, 'SIGTERM')).toEqual({ state: 'gone' });
  });
});

describe('what the kernel knows nothing of', () => {
  it('is gone, also where processes are hidden', async () => {
    const target = await sleeping();
    expect(actuator.isProvenGone(target)).toBe(false);
    process.kill(target.pid, 'SIGKILL');
    await until('its parent was told', () => actuator.isProvenGone(target));
    for (const pid of [0, -1, -4_194_305, 1, 1.5, Number.NaN, process.pid]) {
      expect(actuator.isProvenGone({ pid, startTicks: 1 })).toBe(false);
    }
  });

  it('may be there where /proc tells other numbers than the kernel takes', () => {
    const empty = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'proc-'));
    const nobody = { pid: 4_194_305, startTicks: 7 };
    expect(actuator.isProvenGone(nobody)).toBe(true);
    expect(createProcessActuator({ procRoot: empty }).isProvenGone(nobody)).toBe(false);
    rmSync(empty, { recursive: true });
  });
});

describe('in processes of their own', () => {
  let own: OwnProcess;
  beforeAll(async () => {
    own = await OwnProcess.prepare(
      ['src/adapters/proc/process-actuator.ts'],
      `import { spawn } from 'node:child_process';
       import { readFileSync, writeFileSync } from 'node:fs';
       import { once } from 'node:events';
       import { createProcessActuator } from './module.mjs';
       const ticks = (pid) => Number(readFileSync('/proc/' + pid + '/stat', 'latin1').replace(/^.*\\) /s, '').split(' ')[19]);
       const sleep = () => spawn('sleep', ['1000'], { stdio: 'ignore' });`,
    );
  });
  afterAll(() => own.remove());

  it.runIf(hasNamespace)(
    'S6: monk-plugin#98, pitchfork#878: a stranger that got the number of the dead survives',
    () => {
      const script = `
      const victim = sleep();
      const judged = { pid: victim.pid, startTicks: ticks(victim.pid) };
      victim.kill('SIGTERM');
      await once(victim, 'exit');
      let stranger;
      const others = [];
      for (let turn = 0; turn < 200 && stranger?.pid !== judged.pid; turn += 1) {
        // The clock of start marks has to have gone on, as it has when numbers come round by themselves.
        await new Promise((resolve) => setTimeout(resolve, 20));
        writeFileSync('/proc/sys/kernel/ns_last_pid', String(judged.pid - 1));
        stranger = sleep();
        others.push(stranger);
      }
      const answer = createProcessActuator().signal(judged, 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 100));
      const isAlive = stranger.exitCode === null && stranger.signalCode === null;
      console.log(JSON.stringify({ answer, isAlive, isReused: stranger.pid === judged.pid }));
      for (const each of others) each.kill('SIGKILL');`;
      expect(own.run(NAMESPACE, '', script)).toEqual({
        answer: { state: 'gone' },
        isAlive: true,
        isReused: true,
      });
    },
  );

  it.runIf(isRoot)('S34: says that a process of somebody else is not ours to signal', async () => {
    const target = await sleeping();
    const script = `
      process.setgid(65534);
      process.setuid(65534);
      console.log(JSON.stringify(createProcessActuator().signal({ pid: Number(args[0]), startTicks: Number(args[1]) }, 'SIGKILL')));`;
    expect(own.run([], '', script, String(target.pid), String(target.startTicks))).toEqual({
      state: 'refused',
      text: `process ${target.pid} belongs to somebody else`,
    });
    expect(startTicksOf(target.pid)).toBe(target.startTicks);
  });
});
