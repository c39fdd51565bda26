import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPulse } from '../../../src/adapters/guard/process-pulse.ts';
import { readProcessStat } from '../../../src/adapters/lock/process-stat.ts';
import { createLinuxProcessTable } from '../../../src/adapters/proc/linux-process-table.ts';
import { createProcessActuator } from '../../../src/adapters/proc/process-actuator.ts';
import { createProcessAncestry } from '../../../src/adapters/proc/process-ancestry.ts';
import { createLinuxProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import { createProcessTies } from '../../../src/adapters/proc/process-ties.ts';
import { indexProcesses, paneProcesses } from '../../../src/core/sight/pane-processes.ts';
import { canBeHeadless, HEADLESS_PROGRAM } from '../../support/headless.ts';
import { until } from '../../support/until.ts';
import { FakeProc, statLine } from './fake-proc.ts';
import { RealProcesses } from './real-processes.ts';

const IT = { pid: 42, startTicks: 100 };
/** What the kernel shows of a process whose first thread has ended, and whose others work. */
const HEADLESS = { state: 'Z', threads: 3, rssPages: 0, ppid: 7 };

describe('a process whose first thread has ended', () => {
  let proc: FakeProc;
  const thread = (tid: number, state: string, files: Record<string, string> = {}) => {
    proc.write(`42/task/${tid}/stat`, statLine(tid, { state, comm: 'odd) Z 1 (name', threads: 3 }));
    for (const [name, content] of Object.entries(files)) proc.write(`42/task/${tid}/${name}`, content);
  };
  const open = (folder: string, ...links: string[]) => {
    mkdirSync(join(proc.root, folder, 'fd'), { recursive: true });
    for (const [at, link] of links.entries()) proc.link(`${folder}/fd/${at}`, link);
  };
  const sensorOf = () => createLinuxProcessSensor({ procRoot: proc.root });
  const stateOf = () => sensorOf().sense().byPid.get(42)?.state;

  beforeEach(() => {
    proc = new FakeProc();
    proc.process(42, HEADLESS, { cmdline: '', environ: '' });
    open('42');
    thread(42, 'Z');
  });
  afterEach(() => proc.remove());

  it.each([
    [['S'], 'S'],
    [['S', 'R'], 'R'],
    [['S', 'D'], 'D'],
    [['T', 'T'], 'T'],
    [['X', 'S'], 'S'],
    // Those that are there could not be seen.
    [['Z', 'X'], 'R'],
    [[], 'R'],
  ])('is in the state of the others, %j: %s', (states, whole) => {
    for (const [at, state] of states.entries()) thread(50 + at, state);
    expect(stateOf()).toBe(whole);
  });

  it('is at work where its threads cannot be listed, or read', () => {
    proc.write('42/task/50/stat', 'nonsense');
    expect(stateOf()).toBe('R');
    proc.delete('42/task');
    expect(stateOf()).toBe('R');
  });

  it('has ended once the others have', () => {
    proc.process(42, { ...HEADLESS, threads: 1 });
    expect(stateOf()).toBe('Z');
  });

  it('is among the processes of its pane', () => {
    proc.process(7, { ppid: 6 });
    thread(50, 'S');
    const pane = { pid: 7, isDead: false, server: { pid: 6, startTicks: 1 } };
    const found = paneProcesses(pane, indexProcesses(sensorOf().sense().byPid), []);
    expect(found.map(({ process }) => process.pid)).toEqual([7, 42]);
  });

  it('is reached by what follows it, and by what asks for it again', () => {
    expect(createProcessActuator({ procRoot: proc.root }).reach(IT)).toEqual({ state: 'there' });
    expect(createProcessAncestry({ procRoot: proc.root, self: { ppid: 42 } }).isAlive(IT)).toBe(true);
    const pulse = openPulse(IT, { procRoot: proc.root, platform: 'linux' });
    expect(pulse.read()).toMatchObject({ state: 'alive', isStopped: false });
    proc.process(42, { ...HEADLESS, threads: 1 });
    expect(pulse.read().state).toBe('dead');
    pulse.close();
  });

  it('tells its words, its marks and what it has open through another thread', () => {
    const files = { cmdline: 'worker\0x\0', environ: 'TMUX_PANE=%3\0TMUX=/s,1,0\0' };
    thread(50, 'S', files);
    open('42/task/50', 'pipe:[1]', 'pipe:[2]', '/dev/ptmx');
    mkdirSync(join(proc.root, '42/task/50/ns'));
    proc.link('42/task/50/ns/pid', 'pid:[5]');
    // The busiest one is not asked: which one that is may change at any time.
    thread(51, 'R');
    const sensor = sensorOf();
    sensor.sense();
    expect(sensor.details([IT]).get(42)?.argv).toEqual(['worker', 'x']);
    expect(sensor.markers([IT]).get(42)).toMatchObject({ tmux: '/s,1,0', tmuxPane: '%3' });
    expect(sensor.environment(IT)).toMatchObject({ TMUX_PANE: '%3' });
    expect([...sensor.pipedAmong([IT])]).toEqual([42]);
    expect(sensor.keepTerminals([IT]).get(42)).toBe(true);
    expect(sensor.daemonSigns([IT]).get(42)).toMatchObject({ hasTerminal: true });
    expect(sensor.placesOf([IT]).get(42)).toEqual({ pidNamespace: '5', pidInside: 42 });
    const ancestry = createProcessAncestry({ procRoot: proc.root, self: { ppid: 42 } });
    expect(ancestry.stdinOf(IT)).toBe('stream');
  });

  it('is asked through the next thread when that one ends while it is read', () => {
    const environ = 'TMUX_PANE=%3\0';
    thread(50, 'S', { environ });
    thread(51, 'S', { environ });
    const sensor = sensorOf();
    sensor.sense();
    proc.delete('42/task/50');
    expect(sensor.markers([IT]).size).toBe(0);
    expect(sensor.markers([IT]).get(42)?.tmuxPane).toBe('%3');
  });

  it('S6: leaves no thread to a successor of its number', () => {
    thread(50, 'S');
    const units = { ticksPerSecond: 100, pageBytes: 4096 };
    const table = createLinuxProcessTable({ procRoot: proc.root, now: Date.now, units });
    table.sense();
    expect(table.folder(42)).toBe(`${proc.root}/42/task/50`);
    proc.process(42, { startTicks: 101 });
    table.senseOne(42);
    expect(table.folder(42)).toBe(`${proc.root}/42`);
  });

  it('keeps its ties to others', () => {
    thread(50, 'S');
    open('42/task/50', '/dev/pts/3', 'socket:[8]');
    open('1');
    const ties = createProcessTies({ procRoot: proc.root }).tiesOf([IT]).get(42);
    expect(ties).toMatchObject({ terminals: ['/dev/pts/3'], sockets: ['8'] });
  });
});

describe.runIf(canBeHeadless)('a real one', () => {
  const processes = new RealProcesses();
  afterEach(() => processes.endAll());

  it('is seen at work, with its words, until it is ended', async () => {
    const { pid } = await processes.start(['python3', '-c', HEADLESS_PROGRAM], { TMUX_PANE: '%77' });
    const stat = () => readFileSync(`/proc/${pid}/stat`, 'latin1');
    await until('its first thread has ended', stat, (line) => line.includes(') Z '));
    const sensor = createLinuxProcessSensor();
    const found = sensor.sense().byPid.get(pid);
    if (found === undefined) throw new Error('not sensed');
    expect(found.state).not.toBe('Z');
    expect(readProcessStat(pid)?.state).toBe('R');
    expect(sensor.details([found]).get(pid)?.argv.at(-1)).toBe(HEADLESS_PROGRAM);
    expect(sensor.markers([found]).get(pid)?.tmuxPane).toBe('%77');
    const actuator = createProcessActuator();
    expect(actuator.signal(found, 'SIGKILL')).toEqual({ state: 'sent' });
    await until(
      'it has ended',
      () => actuator.reach(found).state,
      (state) => state === 'gone',
    );
  });
});
