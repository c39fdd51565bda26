import { describe, expect, it } from 'vitest';
import { indexProcesses, paneProcesses } from '../../../src/core/sight/pane-processes.ts';
import type { Process } from '../../../src/core/sight/process.ts';
import { cpuTimeMs } from '../cpu-time.ts';

const SERVER = { pid: 5, startTicks: 5 };
const PANE = { pid: 10, isDead: false, server: SERVER };

function process(pid: number, ppid: number, over: Partial<Process> = {}): Process {
  return {
    pid,
    ppid,
    pgid: pid,
    sid: 10,
    tpgid: 20,
    state: 'S',
    startTicks: pid,
    startedAt: 0,
    comm: 'x',
    cpuMs: 0,
    rssBytes: 0,
    ...over,
  };
}

function relations(table: Process[], marked: Process[] = [], pane = PANE): Record<number, string> {
  const index = indexProcesses(new Map(table.map((one) => [one.pid, one])));
  return Object.fromEntries(paneProcesses(pane, index, marked).map((one) => [one.process.pid, one.relation]));
}

describe('the processes of a pane', () => {
  it('hang on it as root, in the foreground, in the background, or stopped', () => {
    const table = [
      process(10, 5),
      process(20, 10),
      process(21, 20, { pgid: 21, sid: 21 }),
      process(30, 10),
      process(40, 10, { state: 'T' }),
      process(41, 10, { state: 't' }),
    ];
    expect(relations(table)).toEqual({
      10: 'root',
      20: 'foreground',
      21: 'foreground',
      30: 'background',
      40: 'stopped',
      41: 'stopped',
    });
  });

  it('S22: are in the foreground below a wrapper without job control, which shares its group', () => {
    const table = [process(10, 5, { tpgid: 10 }), process(11, 10, { pgid: 10 })];
    expect(relations(table)).toEqual({ 10: 'root', 11: 'foreground' });
    const beside = process(12, 10, { pgid: 12 });
    expect(relations([...table, beside])).toEqual({ 10: 'root', 11: 'foreground', 12: 'background' });
  });

  it('are those of a server that started in the same moment too', () => {
    expect(relations([process(10, 5, { startTicks: SERVER.startTicks })])).toEqual({ 10: 'root' });
  });

  it('S21: include what was re-parented but kept the session, with its children', () => {
    const table = [process(10, 5), process(50, 1), process(51, 50, { sid: 51 })];
    expect(relations(table)).toEqual({ 10: 'root', 50: 'outside', 51: 'outside' });
  });

  it('S21: include strangers that carry its marker, with their children, once', () => {
    const stranger = process(60, 1, { sid: 60 });
    const table = [process(10, 5), stranger, process(61, 60, { sid: 60 })];
    expect(relations(table, [stranger, stranger])).toEqual({ 10: 'root', 60: 'outside', 61: 'outside' });
  });

  it('leave out zombies and what belongs to others', () => {
    const table = [process(10, 5), process(11, 10, { state: 'Z' }), process(70, 1, { sid: 70 })];
    expect(relations(table)).toEqual({ 10: 'root' });
  });

  const dead = { ...PANE, isDead: true };

  it('S3: of a dead pane are only what it left behind: its pid may be another process by now', () => {
    const left = process(50, 1);
    expect(relations([left], [], dead)).toEqual({ 50: 'outside' });
    const ended = process(10, 5, { state: 'Z' });
    expect(relations([ended, left], [], dead)).toEqual({ 50: 'outside' });
    const another = [process(10, 1), process(11, 10, { sid: 99 }), left];
    expect(relations(another, [], dead)).toEqual({});
    const newPane = [process(10, 5), process(11, 10), left];
    expect(relations(newPane, [], dead)).toEqual({});
  });

  it('S6: of a live pane are none where its number is not a child of its server, or older than that', () => {
    expect(relations([process(10, 1), process(11, 10)])).toEqual({});
    expect(relations([process(10, 5, { startTicks: 4 })])).toEqual({});
  });

  it('of a pane without a process is none, whatever has no session', () => {
    const table = [process(1, 0, { sid: 0 }), process(50, 1, { sid: 0 }), process(60, 0, { sid: 0 })];
    expect(relations(table, [], { ...PANE, pid: 0 })).toEqual({});
    expect(relations(table, [], { ...PANE, pid: 0, isDead: true })).toEqual({});
    expect(
      relations([process(1, 5, { sid: 1 }), process(50, 1, { sid: 1 })], [], { ...PANE, pid: 1 }),
    ).toEqual({});
    // Nothing makes process 0 or 1 a pane's, not even a garbled table.
    for (const pid of [0, 1]) {
      const garbled = [process(pid, 5, { startTicks: 9 })];
      expect(relations(garbled, [], { ...PANE, pid })).toEqual({});
    }
  });

  it('S6: of a server that is not seen here are none: its numbers are those of other processes here', () => {
    const elsewhere = { ...PANE, server: { pid: 5, startTicks: 0 } };
    expect(relations([process(10, 5), process(11, 10)], [], elsewhere)).toEqual({});
    expect(relations([process(50, 1)], [], elsewhere)).toEqual({});
  });

  it('say by what they are claimed; a mark says more than a session', () => {
    const stranger = process(60, 1);
    const index = indexProcesses(
      new Map([process(10, 5), stranger, process(70, 1)].map((one) => [one.pid, one])),
    );
    const found = paneProcesses(PANE, index, [stranger]).map(({ process: { pid }, by }) => [pid, by]);
    expect(found).toEqual([
      [10, 'tree'],
      [60, 'mark'],
      [70, 'session'],
    ]);
  });

  it('S34: are not seen where the table hides the root', () => {
    expect(relations([process(70, 1, { sid: 70 })])).toEqual({});
  });

  it('come parents first, and a garbled table with a loop ends', () => {
    const table = [process(10, 5), process(20, 10), process(5, 20)];
    expect(Object.keys(relations(table))).toEqual(['5', '10', '20']);
  });

  it('S57: may form a chain of a hundred thousand forks', () => {
    const chain = Array.from({ length: 100_000 }, (_, depth) =>
      process(10 + depth, depth === 0 ? 5 : 9 + depth),
    );
    const index = indexProcesses(new Map(chain.map((one) => [one.pid, one])));
    expect(paneProcesses(PANE, index, [])).toHaveLength(chain.length);
    expect(cpuTimeMs(() => paneProcesses(PANE, index, []))).toBeLessThan(2000);
  });
});
