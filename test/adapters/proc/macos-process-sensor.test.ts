import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMacosProcessSensor, type PsAnswer } from '../../../src/adapters/proc/macos-process-sensor.ts';
import { lacksOwn } from '../../../src/core/sight/process.ts';

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8');
const second = (text: string) => Date.parse(`${text} GMT`) / 1000;
const CLAUDE = { pid: 700, startTicks: second('14 Nov 2026 09:20:33') };

function sensorOf(text: string, calls: (readonly string[])[] = []) {
  const ps = (args: readonly string[]): PsAnswer => {
    calls.push(args);
    return { state: 'printed', text };
  };
  return createMacosProcessSensor({ now: () => 5, ps });
}

describe('the process table of a Mac', () => {
  const table = sensorOf(fixture('macos-ps-list')).sense();

  test('is whole and gives every field in the units of the core', () => {
    expect(table).toMatchObject({ observedAt: 5, isComplete: true });
    expect(table.byPid.size).toBe(11);
    expect(table.byPid.get(700)).toEqual({
      ...{ pid: 700, ppid: 640, pgid: 700, sid: 640, tpgid: 700, state: 'S', comm: 'claude' },
      ...{ startTicks: CLAUDE.startTicks, startedAt: CLAUDE.startTicks * 1000 },
      ...{ cpuMs: (123 * 60 + 45) * 1000 + 670, rssBytes: 412_000 * 1024 },
    });
  });

  test('names states as Linux does', () => {
    const states = [701, 703, 704, 705, 706].map((pid) => table.byPid.get(pid)?.state);
    expect(states).toEqual(['S', 'R', 'D', 'T', 'Z']);
  });

  test('S8: keeps a name with blanks whole', () => {
    expect(table.byPid.get(704)?.comm).toBe('nohup tail');
  });

  test('has no foreground group and no guess where ps has none', () => {
    expect(table.byPid.get(702)?.tpgid).toBe(-1);
    expect(table.byPid.get(800)).toMatchObject({ cpuMs: 0, rssBytes: 0 });
  });

  test('S21: finds the session through the terminal, then through the nearest leader, then takes the group', () => {
    const sids = [640, 701, 702, 703, 704, 705].map((pid) => table.byPid.get(pid)?.sid);
    expect(sids).toEqual([640, 640, 702, 702, 640, 702]);
  });

  test('S34: is incomplete when a line is not understood or process 1 is missing', () => {
    const lines = fixture('macos-ps-list').split('\n');
    expect(sensorOf(`${lines.join('\n')}half a name\n`).sense()).toMatchObject({
      isComplete: false,
      problem: 'lines of ps that were not understood: 1',
    });
    const hidden = sensorOf(lines.slice(1).join('\n')).sense();
    expect([hidden.isComplete, lacksOwn(hidden)]).toEqual([false, false]);
  });

  test('S34: is incomplete and says why when ps fails', () => {
    const sensor = createMacosProcessSensor({
      ps: () => ({ state: 'failed', problem: 'ps was ended by SIGKILL' }),
    });
    expect(sensor.sense()).toMatchObject({ isComplete: false, problem: 'ps was ended by SIGKILL' });
    expect(lacksOwn(sensor.sense())).toBe(true);
    expect(sensor.details([CLAUDE]).size).toBe(0);
    expect(sensor.markers([CLAUDE]).size).toBe(0);
  });
});

describe('details and markers on a Mac', () => {
  test('take one call for all that are asked for, and none for none', () => {
    const calls: (readonly string[])[] = [];
    const sensor = sensorOf(fixture('macos-ps-args'), calls);
    expect(sensor.details([]).size).toBe(0);
    sensor.details([CLAUDE, { pid: 701, startTicks: 1 }]);
    expect(calls).toEqual([['-ww', '-o', 'pid=', '-o', 'lstart=', '-o', 'args=', '-p', '700,701']]);
  });

  test('are the arguments as far as blanks tell them apart', () => {
    const processes = [
      CLAUDE,
      { pid: 701, startTicks: second('14 Nov 2026 09:21:00') },
      { pid: 706, startTicks: second('14 Nov 2026 09:23:06') },
      { pid: 800, startTicks: second('10 Nov 2026 01:02:03') },
    ];
    const details = sensorOf(fixture('macos-ps-args')).details(processes);
    expect([...details.values()].map(({ argv }) => argv)).toEqual([
      ['claude', '--resume', '0b1c', 'two', 'words'],
      ['node', '/opt/mcp/server.js', '--name', 'a^Jb'],
      [],
      [],
    ]);
  });

  test('S6: leave out a pid that now belongs to another process', () => {
    const other = { ...CLAUDE, startTicks: CLAUDE.startTicks - 1 };
    expect(sensorOf(fixture('macos-ps-args')).details([other]).size).toBe(0);
    expect(sensorOf(fixture('macos-ps-environment')).markers([other]).size).toBe(0);
  });

  test('S21: markers come from the environment, not from arguments that look like it', () => {
    const processes = [
      CLAUDE,
      { pid: 701, startTicks: second('14 Nov 2026 09:21:00') },
      { pid: 702, startTicks: second('14 Nov 2026 09:22:00') },
    ];
    const markers = sensorOf(fixture('macos-ps-environment')).markers(processes);
    const ours = { tmux: '/private/tmp/tmux-501/default,512,3', tmuxPane: '%7' };
    expect(markers.get(700)).toEqual({ ...CLAUDE, ...ours });
    expect(markers.get(701)).toMatchObject(ours);
    expect(markers.get(702)).toEqual(processes[2]);
  });
});

test('what is open cannot be told on a Mac', () => {
  const sensor = sensorOf(fixture('macos-ps-environment'));
  expect(sensor.holdersOf(['/dev/ttys001'], [])).toEqual({ byTty: new Map(), isComplete: false });
  expect(sensor.pipedAmong([{ pid: 1, startTicks: 1 }]).size).toBe(0);
  expect(sensor.keepTerminals([{ pid: 1, startTicks: 1 }]).size).toBe(0);
});
