import { mkdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLinuxProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import type { Process } from '../../../src/core/sight/process.ts';
import { cpuSeconds } from '../../support/cpu-seconds.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { toldPid } from '../../support/told-pid.ts';
import { until } from '../../support/until.ts';
import { asNobody, FakeProc } from './fake-proc.ts';
import { RealProcesses } from './real-processes.ts';

const IT = { pid: 42, startTicks: 100 };

describe('what a process has open', () => {
  let proc: FakeProc;
  const sensorOf = () => createLinuxProcessSensor({ procRoot: proc.root });
  const open = (...targets: string[]) => {
    mkdirSync(join(proc.root, '42/fd'), { recursive: true });
    for (const [at, target] of targets.entries()) proc.link(`42/fd/${at}`, target);
  };

  beforeEach(() => {
    proc = new FakeProc();
    proc.process(42);
  });
  afterEach(() => proc.remove());

  test.each([
    [['pipe:[1]', 'pipe:[2]'], true],
    [['socket:[1]', 'socket:[2]', '/dev/pts/1'], true],
    [['pipe:[1]', '/tmp/log'], false],
    [['/dev/null', 'pipe:[2]'], false],
    [['/dev/pts/1', '/dev/pts/1'], false],
    [['/tmp/pipe:[1]', 'pipe:[2]'], false],
    [['pipe:[1]'], false],
    [[], false],
  ])('%j in place of input and output are pipes or sockets: %j', (targets, is) => {
    open(...targets);
    expect(sensorOf().pipedAmong([IT]).has(42)).toBe(is);
  });

  test('S34: pipes that may not be read are none', () => {
    open('pipe:[1]', 'pipe:[2]');
    proc.forbid('42/fd');
    expect(asNobody(() => sensorOf().pipedAmong([IT])).size).toBe(0);
  });

  test.each([
    [['/dev/null', '/dev/ptmx'], true],
    [['/dev/pts/ptmx'], true],
    [['/dev/pts/3', '/home/me/ptmx.txt'], false],
    [[], false],
  ])('%j keep a terminal for others: %j', (targets, is) => {
    open(...targets);
    expect(sensorOf().keepTerminals([IT]).get(42)).toBe(is);
  });

  test.each([
    [{}, true],
    [{ ttyNumber: 34_816 }, false],
  ])('the name that every terminal has may be any terminal, of a process with %j: %j', (over, is) => {
    proc.process(42, over);
    open('/dev/tty');
    const all = [...sensorOf().sense().byPid.values()];
    expect(sensorOf().holdersOf(['/dev/ptmx'], all).byTty.get('/dev/ptmx')).toHaveLength(is ? 1 : 0);
  });

  test('S34: whether it keeps a terminal is not known where that may not be read', () => {
    open('/dev/null');
    proc.forbid('42/fd');
    expect(asNobody(() => sensorOf().keepTerminals([IT]).get(42))).toBeNull();
  });

  test('S6: is nobody’s once its number belongs to another process', () => {
    open('pipe:[1]', 'pipe:[2]', '/dev/ptmx');
    const other = [{ pid: 42, startTicks: 99 }];
    expect(sensorOf().pipedAmong(other).size).toBe(0);
    expect(sensorOf().keepTerminals(other).size).toBe(0);
    expect(sensorOf().keepTerminals([{ pid: 43, startTicks: 1 }]).size).toBe(0);
  });
});

describe('who has a terminal', () => {
  let tmux: PrivateTmux;
  let started: RealProcesses;
  beforeEach(() => {
    tmux = new PrivateTmux();
    started = new RealProcesses();
  });
  afterEach(async () => {
    await started.endAll();
    tmux.stop();
  });

  const sensor = createLinuxProcessSensor();
  const all = () => [...sensor.sense().byPid.values()];
  const pidsAt = (tty: string, among: readonly Process[] = all()) =>
    sensor
      .holdersOf([tty], among)
      .byTty.get(tty)
      ?.map(({ pid }) => pid);

  async function pane(name: string, script: string): Promise<{ tty: string; pid: number }> {
    const { pid } = await tmux.session(name, 'sh', '-c', script);
    return { pid, tty: await tmux.tmux('display-message', '-p', '-t', `=${name}:`, '#{pane_tty}') };
  }

  /** Starts something in a pane that leaves its session and loses its variables, and waits for it. */
  async function left(name: string, how: string): Promise<{ tty: string; pid: number; root: number }> {
    const file = join(tmux.folder, `${name}.pid`);
    const worker = `echo $$ > ${file}; exec sleep 1000`;
    const { tty, pid: root } = await pane(name, `setsid -f env -i sh -c '${worker}' ${how}; exec sleep 1000`);
    const pid = await toldPid(file);
    started.own(pid);
    await until('it is itself', () => all().some((one) => one.pid === pid && one.comm === 'sleep'));
    return { tty, pid, root };
  }

  test('is whoever has it open, in its session or not, and nobody who has another', async () => {
    const [here, there] = [await left('here', ''), await left('there', '')];
    expect(pidsAt(here.tty)).toEqual(expect.arrayContaining([here.pid, here.root]));
    expect(pidsAt(here.tty)).not.toContain(there.pid);
    const both = sensor.holdersOf([here.tty, there.tty], all());
    expect(both.isComplete).toBe(true);
    expect(both.byTty.get(there.tty)?.map(({ pid }) => pid)).toContain(there.pid);
  });

  test('is not who has redirected everything', async () => {
    const { tty, pid } = await left('quiet', '</dev/null >/dev/null 2>&1');
    expect(pidsAt(tty)).not.toContain(pid);
  });

  // It is not tried with a real one that left: every close on this machine would be refused meanwhile.
  test('shows the name that every terminal has where it was opened by it', async () => {
    const { pid } = await pane('named', 'exec sleep 1000 3>/dev/tty');
    await until('it is itself', () => all().some((one) => one.pid === pid && one.comm === 'sleep'));
    expect(readlinkSync(`/proc/${pid}/fd/3`)).toBe('/dev/tty');
  });

  test('is not told of a terminal that is not there', () => {
    expect(sensor.holdersOf(['/dev/pts/none'], all())).toEqual({ byTty: new Map(), isComplete: true });
  });

  test('S6: is not a process that has only the number of one who was', async () => {
    const { tty, pid, root } = await left('reused', '');
    const among = all().filter((one) => one.pid === pid || one.pid === root);
    expect(pidsAt(tty, among)).toHaveLength(2);
    expect(
      pidsAt(
        tty,
        among.map((one) => ({ ...one, startTicks: one.startTicks - 1 })),
      ),
    ).toEqual([]);
  });

  test('500 processes are read in a moment', async () => {
    const { tty } = await pane('many', 'exec sleep 1000');
    const [one] = all().filter(({ pid }) => pid === process.pid);
    const many = Array.from({ length: 500 }, () => one as Process);
    expect(cpuSeconds(() => sensor.holdersOf([tty], many))).toBeLessThan(5);
  });
});
