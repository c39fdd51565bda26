import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLinuxProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import { asNobody, FakeProc } from './fake-proc.ts';

const IT = { pid: 42, startTicks: 100 };
const TMUX = '/tmp/tmux-1000/default,512,3';

describe('markers of a process', () => {
  let proc: FakeProc;
  let now: number;
  const sensorOf = () => createLinuxProcessSensor({ procRoot: proc.root, now: () => now });

  beforeEach(() => {
    proc = new FakeProc();
    now = 1_800_000_000_000;
    proc.process(42, { comm: 'node' }, { environ: `HOME=/root\0TMUX=${TMUX}\0SECRET=x\0TMUX_PANE=%7\0` });
  });
  afterEach(() => proc.remove());

  test('are TMUX and TMUX_PANE and nothing else of its environment', () => {
    expect(sensorOf().markers([IT]).get(42)).toEqual({ ...IT, tmux: TMUX, tmuxPane: '%7' });
  });

  test.each([
    [`TMUX=${TMUX}\0`, { tmux: TMUX }],
    ['TMUX_PANE=%0\0A=b\0', { tmuxPane: '%0' }],
    ['TMUX_PANE=%1\0TMUX_PANE=%2\0', { tmuxPane: '%1' }],
    ['MY_TMUX_PANE=%1\0XTMUX=1\0', {}],
    ['A=TMUX_PANE=%1\0', {}],
    ['TMUX_PANE=\0', { tmuxPane: '' }],
    ['A=b\0TMUX_PANE=%1', {}],
    ['', {}],
  ])('of the block %j are %j', (environ, markers) => {
    proc.write('42/environ', environ);
    expect(sensorOf().markers([IT]).get(42)).toEqual({ ...IT, ...markers });
  });

  test('S34: a block that may not be read leaves the process out without a word', () => {
    proc.forbid('42/environ');
    expect(asNobody(() => sensorOf().markers([IT])).size).toBe(0);
  });

  test('S6: are absent for a pid that now belongs to another process, also when they are kept', () => {
    const sensor = sensorOf();
    sensor.sense();
    expect(sensor.markers([IT]).size).toBe(1);
    proc.process(42, { comm: 'node', startTicks: 101 });
    sensor.sense();
    expect(sensor.markers([IT]).size).toBe(0);
    expect(sensor.markers([{ pid: 42, startTicks: 101 }]).size).toBe(1);
    expect(sensorOf().markers([IT]).size).toBe(0);
  });

  test('are read once for a process that keeps its name, and anew after an exec or ten seconds', () => {
    const sensor = sensorOf();
    const pane = () => {
      sensor.sense();
      return sensor.markers([IT]).get(42)?.tmuxPane;
    };
    expect(pane()).toBe('%7');
    proc.write('42/environ', 'TMUX_PANE=%8\0');
    now += 10_000;
    expect(pane()).toBe('%7');
    now += 1;
    expect(pane()).toBe('%8');
    proc.process(42, { comm: 'bash' }, { environ: 'TMUX_PANE=%9\0' });
    expect(pane()).toBe('%9');
  });

  test('are read anew while no table vouches that the process is still there', () => {
    const sensor = sensorOf();
    expect(sensor.markers([IT]).size).toBe(1);
    proc.delete('42');
    expect(sensor.markers([IT]).size).toBe(0);
  });

  test('are not kept from the empty block of a process in the middle of an exec', () => {
    const sensor = sensorOf();
    sensor.sense();
    proc.write('42/environ', '');
    expect(sensor.markers([IT]).get(42)).toEqual(IT);
    proc.write('42/environ', 'TMUX_PANE=%3\0');
    expect(sensor.markers([IT]).get(42)?.tmuxPane).toBe('%3');
  });

  test('S57: are found at the end of 2 MB of anything, invalid UTF-8 included, and not beyond', () => {
    const junk = Buffer.concat([
      Buffer.from('JUNK='),
      Buffer.alloc(2 * 1024 * 1024 - 200, 0xff),
      Buffer.from([0]),
    ]);
    proc.write('42/environ', Buffer.concat([junk, Buffer.from(`TMUX=${TMUX}\0TMUX_PANE=%7\0`)]));
    expect(sensorOf().markers([IT]).get(42)).toEqual({ ...IT, tmux: TMUX, tmuxPane: '%7' });
    proc.write('42/environ', Buffer.concat([junk, junk, Buffer.from(`TMUX=${TMUX}\0TMUX_PANE=%7\0`)]));
    expect(sensorOf().markers([IT]).get(42)).toEqual(IT);
  });
});
