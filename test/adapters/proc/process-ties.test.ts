import { execFileSync } from 'node:child_process';
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
    if (flags !== undefined) info(pid, at, `flags:\t0100${flags}00${flags}\nmnt_id:\t5\n`);
  }
}

function info(pid: number, descriptor: number, text: string): void {
  proc.write(`${pid}/fdinfo/${descriptor}`, `pos:\t0\n${text}`);
}

/** The mount that open files are on. */
function mount(pid: number, type: string, device = '8:1'): void {
  proc.write(`${pid}/mountinfo`, `5 1 ${device} / /some rw,relatime shared:1 - ${type} /dev/disk rw\n`);
}

function other(pid: number, ...files: (readonly [string, string?])[]): void {
  proc.process(pid);
  open(pid, files);
}

const ties = () => createProcessTies({ procRoot: proc.root }).tiesOf([IT]).get(42);
const ALONE = {
  ...{ holders: [], isListening: false, sockets: [], terminals: [], doors: [], unread: [] },
  cgroup: null,
};

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
    expect(ties()?.holders).toEqual(holders);
  });

  test.each([
    ['by a hard link or another mount', '8:1', '7', [50]],
    ['that is another on another disk', '8:2', '7', []],
    ['that is another', '8:1', '8', []],
    ['on a mount that is not seen', null, '7', [50]],
  ] as const)('whoever has a file of another name %s', (_, device, inode, holders) => {
    open(42, [['/tmp/one', R]]);
    info(42, 0, `flags:\t0100000\nmnt_id:\t5\nino:\t7\n`);
    mount(42, 'ext4');
    other(50, ['/mnt/two', W]);
    info(50, 0, `flags:\t0100001\nmnt_id:\t5\nino:\t${inode}\n`);
    if (device !== null) mount(50, 'ext4', device);
    expect(ties()?.holders).toEqual(holders);
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

  describe('through what it has open, whoever has it open now', () => {
    const doors = (link: string, type: string | null = 'ext4') => {
      open(42, [[link, RW]]);
      if (type !== null) mount(42, type);
      return ties()?.doors;
    };

    test.each(['eventpoll', 'eventfd', 'timerfd', 'signalfd'])('nobody, by its own %s', (kind) => {
      expect(doors(`anon_inode:[${kind}]`)).toEqual([]);
    });

    test.each([
      ['/dev/zero', '/dev/full', '/dev/random', '/dev/urandom', '/dev/null'],
      ['/memfd:shared (deleted)', '/dev/pts/3 (deleted)', 'pipe:[7]', 'socket:[8]'],
    ])('nobody, by %s and the like', (...links) => {
      open(
        42,
        links.map((link) => [link, RW] as const),
      );
      expect(ties()?.doors).toEqual([]);
    });

    test('nobody, by files and folders of this machine', () => {
      proc.write('log', '');
      open(42, [
        [join(proc.root, 'log'), RW],
        [proc.root, R],
      ]);
      mount(42, 'ext4');
      expect(ties()?.doors).toEqual([]);
    });

    describe('by a ring of io_uring', () => {
      // As Linux 6.18 tells of one of Node 22.
      const RING = [
        ...['flags:\t02000002', 'mnt_id:\t17', 'ino:\t18630594', 'SqMask:\t0xff', 'SqHead:\t2', 'SqTail:\t2'],
        ...['CachedSqHead:\t2', 'CqMask:\t0x1ff', 'CqHead:\t2', 'CqTail:\t2', 'CachedCqTail:\t2', 'SQEs:\t0'],
        ...['CQEs:\t0', 'SqThread:\t-1', 'SqThreadCpu:\t-1', 'SqTotalTime:\t0', 'SqWorkTime:\t0'],
        ...['UserFiles:\t0', 'UserBufs:\t0', 'PollList:', 'CqOverflowList:', 'NAPI:\tdisabled', ''],
      ].join('\n');
      const doorsBy = (told: string) => {
        open(42, [['anon_inode:[io_uring]', RW]]);
        info(42, 0, told);
        return ties()?.doors;
      };

      test.each([
        ['as Node has', RING],
        ['of a kernel that tells less', RING.slice(0, RING.indexOf('CqOverflowList'))],
      ])('nobody, where nothing was given to it: %s', (_, told) => {
        expect(doorsBy(told)).toEqual([]);
      });

      test.each([
        ['has files that are in no other list', RING.replace('UserFiles:\t0', 'UserFiles:\t10')],
        ['waits for something', RING.replace('PollList:', 'PollList:\n  op=6, task_works=0')],
        ['is worked on by the kernel', RING.replace('SqThread:\t-1', 'SqThread:\t812')],
        ['is in use, so that not all is told', RING.replace('PollList:\n', '')],
        ['tells nothing', 'mnt_id:\t17\n'],
      ])('anybody, where it %s', (_, told) => {
        expect(doorsBy(told)).toEqual(['anon_inode:[io_uring]']);
      });
    });

    test.each(['anon_inode:inotify', 'anon_inode:[fanotify]', 'anon_inode:[io_uring]', 'net:[4026531840]'])(
      'anybody, by %s',
      (link) => {
        expect(doors(link)).toEqual([link]);
      },
    );

    test('anybody, by a FIFO, which others open by its name', () => {
      const fifo = join(proc.root, 'fifo');
      execFileSync('mkfifo', [fifo]);
      expect(doors(fifo)).toEqual([`the FIFO ${fifo}`]);
    });

    test('anybody, by another device', () => {
      // One that every machine has, under a name that does not tell that it is a terminal.
      expect(doors('/dev/./tty')).toEqual(['the device /dev/./tty']);
    });

    test.each([
      ['a file system that may stop to answer', 'fuse.sshfs'],
      ['a queue of messages', 'mqueue'],
      ['a mount that is not seen', null],
    ])('anybody, by a file of %s', (_, type) => {
      proc.write('log', '');
      const log = join(proc.root, 'log');
      expect(doors(log, type)).toEqual([`${log}, which may be a FIFO`]);
    });

    test('anybody, by what is below /dev on a mount that may stop to answer', () => {
      // Touched, it would show that it is a device.
      expect(doors('/dev/./tty', 'fuse.sshfs')).toEqual(['/dev/./tty, which may be a FIFO']);
    });

    test('anybody, by what is gone or cannot be read', () => {
      expect(doors('/gone')).toEqual(['/gone, which may be a FIFO']);
      proc.write('42/fd/1', 'no link');
      expect(ties()?.doors).toContain('something that cannot be read');
    });
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
    expect(asNobody(ties)).toEqual({ ...ALONE, unread: [{ pid: 50, cgroup: null }] });
    proc.write('50/cgroup', '0::/system.slice/cron.service\n');
    proc.write('42/cgroup', '4:memory:/x\n1:name=systemd:/user.slice\n0::/\n');
    expect(asNobody(ties)).toEqual({
      ...ALONE,
      unread: [{ pid: 50, cgroup: '/system.slice/cron.service' }],
      cgroup: '/user.slice',
    });
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
