import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProcessTies } from '../../../src/adapters/proc/process-ties.ts';
import { asNobody, FakeProc } from './fake-proc.ts';

const IT = { pid: 42, startTicks: 100 };
const R = '00';
const W = '01';
const RW = '02';

let proc: FakeProc;

beforeEach(() => {
  proc = new FakeProc();
  proc.process(42);
  open(1, []);
  open(42, []);
});
afterEach(() => proc.remove());

/** What a process has open, each with the flags that it was opened with. */
function open(pid: number, files: readonly (readonly [link: string, flags?: string])[]): void {
  mkdirSync(join(proc.root, `${pid}/fd`), { recursive: true });
  for (const [at, [link, flags]] of files.entries()) {
    proc.link(`${pid}/fd/${at}`, link);
    if (flags !== undefined) proc.write(`${pid}/fdinfo/${at}`, `pos:\t0\nflags:\t0100${flags}00${flags}\n`);
  }
}

function other(pid: number, ...files: (readonly [string, string?])[]): void {
  proc.process(pid);
  open(pid, files);
}

const ties = () => createProcessTies({ procRoot: proc.root }).tiesOf([IT]).get(42);
const ALONE = { holders: [], isListening: false, sockets: [], terminals: [], unread: [] };

describe('who can talk to a process', () => {
  test('nobody, where it has nothing open but files, devices and ends of its own', () => {
    open(42, [
      ...([
        ['/dev/null', RW],
        ['pipe:[7]', R],
        ['pipe:[7]', W],
        ['anon_inode:[eventpoll]', RW],
      ] as const),
      ['/dev/pts/3 (deleted)', RW],
    ]);
    other(50, ['/dev/null', RW], ['pipe:[8]', RW], ['/tmp/log', W]);
    expect(ties()).toEqual(ALONE);
  });

  test.each([
    ['the end that writes', 'pipe:[7]', R, W, [50]],
    ['the end that reads', 'pipe:[7]', W, R, [50]],
    ['the same end', 'pipe:[7]', R, R, []],
    ['a FIFO the other way round', '/tmp/fifo', R, W, [50]],
    ['a log that both write', '/tmp/log', W, W, []],
    ['a library that both read', '/usr/lib/modules', R, R, []],
    ['shared memory', '/dev/shm/x', RW, RW, [50]],
  ] as const)('whoever has %s', (_, link, mine, theirs, holders) => {
    open(42, [[link, mine]]);
    other(50, [link, theirs]);
    expect(ties()).toEqual({ ...ALONE, holders });
  });

  test('how it was opened cannot be read: then it may be either end', () => {
    open(42, [['pipe:[7]', R]]);
    other(50, ['pipe:[7]']);
    expect(ties()?.holders).toEqual([50]);
  });

  test('a terminal that is there', () => {
    open(42, [['/dev/pts/3', RW]]);
    expect(ties()?.terminals).toEqual(['/dev/pts/3']);
  });

  describe('through sockets', () => {
    const unix = (count: string, flags: string, type: string, state: string) => {
      open(42, [['socket:[77]', RW]]);
      proc.write(
        '42/net/unix',
        `Num RefCount Protocol Flags Type St Inode Path\n0: ${count} 00000000 ${flags} ${type} ${state} 77\n`,
      );
      return ties();
    };

    test.each([
      ['connected', '00000003', '00000000', '0001', '03', ['77'], false],
      ['whose other end was closed', '00000002', '00000000', '0001', '03', [], false],
      ['of packets, whose other end was closed', '00000002', '00000000', '0005', '03', [], false],
      ['of datagrams, which nobody counts', '00000002', '00000000', '0002', '03', ['77'], false],
      ['that is not connected', '00000002', '00000000', '0001', '01', ['77'], false],
      ['that listens', '00000002', '00010000', '0001', '01', ['77'], true],
    ] as const)('one %s', (_, count, flags, type, state, sockets, isListening) => {
      expect(unix(count, flags, type, state)).toEqual({ ...ALONE, sockets, isListening });
    });

    test('one of the network, whatever its state is', () => {
      open(42, [['socket:[78]', RW]]);
      proc.write('42/net/tcp', `sl\n 0: 0100007F:2406 00000000:0000 0A 0:0 0:0 0 0 0 78\n`);
      expect(ties()).toEqual({ ...ALONE, sockets: ['78'], isListening: true });
    });
  });

  test('S34: what cannot be read is named, and its own makes everything unknown', () => {
    other(50, ['pipe:[7]', W]);
    proc.forbid('50/fd');
    open(42, [['pipe:[7]', R]]);
    expect(asNobody(ties)).toEqual({ ...ALONE, unread: [50] });
    proc.forbid('42/fd');
    expect(asNobody(ties)).toBeNull();
  });

  test('S6: of one that is another by now nothing is said, and of none on a Mac', () => {
    const gone = { pid: 42, startTicks: 99 };
    const here = createProcessTies({ procRoot: proc.root });
    expect([...here.tiesOf([gone]), ...here.restOf([gone])]).toEqual([]);
    const mac = createProcessTies({ platform: 'darwin' });
    expect([[...mac.tiesOf([IT])], [...mac.restOf([IT])]]).toEqual([[[42, null]], []]);
  });
});

describe('how a process stands', () => {
  const thread = (id: number, state: string, tracer = '0', place = 'ep_poll') => {
    proc.write(`42/task/${id}/status`, `Name:\tnode\nState:\t${state} (x)\nTracerPid:\t${tracer}\n`);
    proc.write(`42/task/${id}/wchan`, place);
  };
  const rest = () => createProcessTies({ procRoot: proc.root }).restOf([IT]).get(42);

  test('by all of its threads', () => {
    thread(42, 'S');
    expect(rest()).toEqual({ states: 'S', isTraced: false, isFrozen: false });
    thread(43, 'T');
    expect(rest()).toEqual({ states: 'ST', isTraced: false, isFrozen: false });
    thread(43, 'S', '9');
    expect(rest()).toEqual({ states: 'SS', isTraced: true, isFrozen: false });
    thread(43, 'S', '0', 'do_freezer_trap');
    expect(rest()).toEqual({ states: 'SS', isTraced: false, isFrozen: true });
  });

  test('is not known where one of them cannot be read', () => {
    expect(rest()).toBeUndefined();
    thread(42, 'S');
    mkdirSync(join(proc.root, '42/task/43'));
    expect(rest()).toBeUndefined();
  });
});
