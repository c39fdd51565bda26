import { mkdirSync } from 'node:fs';
import { createMountTable } from '../../../src/adapters/folders/mount-table.ts';
import { cgroupsAround } from '../../../src/adapters/host/cgroup-chain.ts';
import {
  createHostSensor,
  createLinuxClock,
  readHostIdentity,
} from '../../../src/adapters/host/host-sensor.ts';
import { readBound, readLinuxMemory } from '../../../src/adapters/host/linux-memory.ts';
import { parseVmStat, readMacosMemory, readMacosPressure } from '../../../src/adapters/host/macos-memory.ts';
import { readCgroupPressure, readStalls } from '../../../src/adapters/host/pressure-cgroup.ts';
import { createPressureSensor } from '../../../src/adapters/host/pressure-sensor.ts';
import { brokenVariables } from '../../../src/adapters/proc/broken-variables.ts';
import { readBootTicks, readKernelUnits } from '../../../src/adapters/proc/kernel-units.ts';
import { createLinuxDetails } from '../../../src/adapters/proc/linux-details.ts';
import { createLinuxEnvironment, createLinuxMarkers } from '../../../src/adapters/proc/linux-markers.ts';
import { createLinuxProcessTable } from '../../../src/adapters/proc/linux-process-table.ts';
import { readTies } from '../../../src/adapters/proc/linux-ties.ts';
import { abandonedIn, isListening, readOpenFile } from '../../../src/adapters/proc/open-doors.ts';
import {
  findMarkers,
  parseProcessList,
  parseTexts,
  splitArguments,
} from '../../../src/adapters/proc/parse-macos-ps.ts';
import { parseStat } from '../../../src/adapters/proc/parse-stat.ts';
import { readProcFile, readProcText } from '../../../src/adapters/proc/proc-file.ts';
import { createProcessOwners } from '../../../src/adapters/proc/process-owners.ts';
import { waitOf } from '../../../src/adapters/proc/shell-sensor.ts';
import { givenPattern } from '../../../src/core/prompt/shape.ts';
import { leadsElsewhere, mountAt, mountsIn, mountsThatMayStop } from '../../../src/core/sight/mounts.ts';
import { recorded, recordedLines, samples } from '../corpus.ts';
import { type Room, type Target, target } from '../target.ts';

const PID = 7;
const UNITS = { ticksPerSecond: 100, pageBytes: 4096 };
const STAT =
  '7 (claude) S 1 7 7 34816 7 4194304 100 0 0 0 11 12 13 14 20 0 9 0 172849 1000000 2500 184467440 4194304 5000000 140720 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n';
const STATS = [STAT, STAT.replace('(claude)', '(tmux: server)'), STAT.replace('claude', ') S 1 (')];
const TICKS = 172849;

/** A process whose files are as they should be, but for one. */
function procWith(room: Room, name: string, input: Buffer): string {
  room.file(`proc/${PID}/stat`, STAT);
  room.file(`proc/${name}`, input);
  return `${room.folder}/proc`;
}

const mark = { pid: PID, startTicks: TICKS };
const MOUNTINFO = () => [
  recorded('adapters/host/fixtures/mountinfo-hybrid.txt'),
  Buffer.from(
    '22 1 8:1 / / rw - ext4 /dev/sda1 rw\n23 22 0:5 / /proc rw - proc proc rw\n30 22 0:40 / /mnt/a\\040b rw - nfs4 host:/x rw\n31 30 0:41 /sub /mnt/a\\040b/c rw - fuse.sshfs x rw\n',
  ),
];
const STATUS =
  'Name:\tclaude\nUid:\t1000\t1000\t1000\t1000\nSigIgn:\t0000000000001001\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t6\n';
const SHELL = {
  user: 'ann',
  host: 'box.lan',
  home: '/home/ann',
  cwd: '/home/ann/app',
  branch: null,
} as never;

export const PROC_TARGETS: readonly Target[] = [
  target({
    name: 'proc-stat',
    covers: [
      'adapters/proc/parse-stat.ts#parseStat',
      'adapters/proc/linux-process-table.ts#createLinuxProcessTable',
    ],
    seeds: samples(...STATS),
    parse: (input) => parseStat(input, input.length, PID, UNITS, 0),
    objection: (_, answer) =>
      answer !== null &&
      Object.values(answer).some((value) => typeof value === 'number' && Math.abs(value) > 1e24)
        ? 'has a number that no kernel counts to'
        : null,
    damaged({ sample, damage }, answer) {
      const whole = parseStat(sample, sample.length, PID, UNITS, 0);
      const isSame = answer === null || JSON.stringify(answer) === JSON.stringify(whole);
      return isSame ? null : `reads other facts from a line that is ${damage}`;
    },
  }),
  target({
    name: 'proc-table',
    covers: ['adapters/proc/proc-file.ts#readProcFile', 'adapters/proc/proc-file.ts#readProcText'],
    seeds: () => [...STATS.map((text) => Buffer.from(text)), Buffer.from('btime 1794962580\n')],
    parse(input, room) {
      const procRoot = procWith(room, `${PID}/stat`, input);
      room.file('proc/stat', input);
      room.file('proc/self/mounts', input);
      return [
        createLinuxProcessTable({ procRoot, units: UNITS, now: () => 5 }).sense(),
        readProcText(`${procRoot}/stat`)?.length,
        readProcFile(`${procRoot}/stat`).state,
      ];
    },
  }),
  target({
    name: 'proc-details',
    covers: ['adapters/proc/linux-details.ts#createLinuxDetails'],
    seeds: samples(
      'claude\0--resume\0',
      'node\0\0\0\0',
      'read_bytes: 4096\nwrite_bytes: 1\n',
      'Rollup\nPss:     1234 kB\n',
    ),
    parse(input, room) {
      const procRoot = procWith(room, `${PID}/cmdline`, input);
      for (const name of ['io', 'smaps_rollup', 'mountinfo']) room.file(`proc/${PID}/${name}`, input);
      const table = createLinuxProcessTable({ procRoot, units: UNITS });
      return createLinuxDetails({ procRoot, now: () => 5, table }).read([mark], {});
    },
  }),
  target({
    name: 'proc-environ',
    covers: [
      'adapters/proc/linux-markers.ts#createLinuxMarkers',
      'adapters/proc/linux-markers.ts#createLinuxEnvironment',
      'adapters/proc/broken-variables.ts#brokenVariables',
    ],
    seeds: samples('TMUX=/tmp/s,99,0\0TMUX_PANE=%3\0HOME=/root\0', '__proto__=x\0A=1\0A=2\0'),
    words: ['TMUX=', 'TMUX_PANE=%1', '\0', '__proto__='],
    parse(input, room) {
      const procRoot = procWith(room, `${PID}/environ`, input);
      const table = createLinuxProcessTable({ procRoot, units: UNITS });
      const env = createLinuxEnvironment(table).read(mark);
      return [
        createLinuxMarkers(table, () => 5).read([mark]),
        env && Object.entries(env),
        brokenVariables({ A: '\ufffd' }, `${procRoot}/${PID}/environ`),
      ];
    },
  }),
  target({
    name: 'proc-mounts',
    covers: [
      ...['mountsIn', 'mountAt', 'leadsElsewhere', 'mountsThatMayStop'].map(
        (name) => `core/sight/mounts.ts#${name}`,
      ),
      'adapters/folders/mount-table.ts#createMountTable',
    ],
    seeds: MOUNTINFO,
    words: ['\n23 22 0:5 / / rw - nfs x rw\n', ' - ', '\\040', '\n22 23 0:1 / / rw - ext4 x rw\n'],
    parse(input, room) {
      const text = input.toString('utf8');
      const mounts = mountsIn(text);
      const ours = mountsIn(MOUNTINFO()[1]?.toString('utf8') ?? '');
      const table = createMountTable(room.file('mountinfo', input), () => 0);
      return [
        mountAt(mounts, '/mnt/a b/c/d'),
        leadsElsewhere({ theirs: mounts, ours }, '/mnt'),
        mountsThatMayStop(text),
        table.mayStop(),
        table.leadsThere('/mnt/x'),
      ];
    },
    hard: {
      'many mounts below one': (bytes) =>
        Buffer.concat([
          Buffer.from('22 1 8:1 / / rw - ext4 x rw\n'),
          Buffer.alloc(bytes, '30 22 0:40 / /mnt/a rw - nfs4 h rw\n'),
        ]),
      'each below the one before': (bytes) => {
        const lines = Array.from(
          { length: Math.ceil(bytes / 40) },
          (_, at) => `${at + 2} ${at + 1} 0:40 / /mnt rw - nfs4 host:/x rw\n`,
        );
        return Buffer.from(`1 0 8:1 / / rw - ext4 x rw\n${lines.join('')}`);
      },
    },
  }),
  target({
    name: 'proc-cgroup',
    covers: [
      'adapters/host/cgroup-chain.ts#cgroupsAround',
      'adapters/host/pressure-cgroup.ts#readCgroupPressure',
    ],
    seeds: () => [
      recorded('adapters/host/fixtures/cgroup-hybrid.txt'),
      Buffer.from('0::/user.slice/a.scope\n'),
    ],
    words: ['0::/', '/..', ':memory:/'],
    parse(input, room) {
      room.file('proc/self/cgroup', input);
      room.file('proc/self/mountinfo', MOUNTINFO()[0] ?? '');
      const [procRoot, sysRoot] = [`${room.folder}/proc`, `${room.folder}/sys`];
      const sight = { procRoot, sysRoot, observedAt: 5, hostBytes: 1e9, hasHostStalls: true };
      return [cgroupsAround(procRoot, sysRoot, 'self'), readCgroupPressure([], sight).length];
    },
    growth: 4000,
    most: 8192,
  }),
  target({
    name: 'proc-status',
    covers: ['adapters/proc/process-owners.ts#createProcessOwners', 'adapters/proc/shell-sensor.ts#waitOf'],
    seeds: samples(STATUS, '23 0x1 0x7ffe 0x0 0x0 0x0 0x7ffe 0x7f\n', 'wait_woken'),
    parse(input, room) {
      const procRoot = procWith(room, `${PID}/status`, input);
      room.file(`proc/${PID}/syscall`, input);
      room.file(`proc/${PID}/wchan`, input);
      const owners = createProcessOwners({ platform: 'linux', procRoot });
      return [
        owners.uids([mark]),
        owners.ignoresHangup([mark]),
        waitOf(`${procRoot}/${PID}`, () => true, 'x64'),
      ];
    },
  }),
  target({
    name: 'proc-open-files',
    covers: [
      ...['readOpenFile', 'isListening', 'abandonedIn'].map((name) => `adapters/proc/open-doors.ts#${name}`),
      'adapters/proc/linux-ties.ts#readTies',
    ],
    seeds: samples(
      'pos:\t0\nflags:\t0100002\nmnt_id:\t22\nino:\t9\n',
      'Num RefCount\n0000: 00000002 00000000 00000000 0001 03 555 /x\n0000: 00000002 00000000 00010000 0001 01 556 /y\n',
      '22 1 8:1 / / rw - ext4 /dev/sda1 rw\n',
    ),
    parse(input, room) {
      const procRoot = procWith(room, `${PID}/fdinfo/0`, input);
      const folder = `${procRoot}/${PID}`;
      for (const name of ['net/unix', 'net/tcp', 'net/tcp6', 'mountinfo', 'cgroup'])
        room.file(`proc/${PID}/${name}`, input);
      mkdirSync(`${folder}/fd`, { recursive: true });
      const open = readOpenFile(procRoot, folder, '0');
      return [open.inode, open.mount(), isListening(folder), abandonedIn(folder), readTies(procRoot, [PID])];
    },
  }),
  target({
    name: 'proc-units',
    covers: ['readKernelUnits', 'readBootTicks'].map((name) => `adapters/proc/kernel-units.ts#${name}`),
    seeds: () => [
      Buffer.from('0600000000000000001000000000000011000000000000006400000000000000', 'hex'),
      Buffer.from('1234.56 99.00\n'),
      Buffer.from(STAT),
    ],
    parse(input, room) {
      for (const name of ['self/auxv', 'uptime', 'self/stat']) room.file(`proc/${name}`, input);
      const procRoot = `${room.folder}/proc`;
      const clock = createLinuxClock({ procRoot, now: () => 5, awakeNow: () => 5 });
      return [readKernelUnits(procRoot, 'x64'), readBootTicks(procRoot), clock()];
    },
  }),
  target({
    name: 'host-memory',
    covers: [
      'adapters/host/linux-memory.ts#readLinuxMemory',
      'adapters/host/linux-memory.ts#readBound',
      'adapters/host/pressure-cgroup.ts#readStalls',
    ],
    seeds: () => [
      recorded('adapters/host/fixtures/meminfo-6.18.txt'),
      recorded('adapters/host/fixtures/psi-stalled.txt'),
      recorded('adapters/host/fixtures/psi-calm.txt'),
      recorded('adapters/host/fixtures/cgroup-v1-memory.stat.txt'),
      recorded('adapters/host/fixtures/cgroup-v1-oom-control.txt'),
      ...samples('1073741824\n', 'max\n', 'oom 3\noom_kill 1\n')(),
    ],
    parse(input, room) {
      const files = [
        'memory.max',
        'memory.high',
        'memory.current',
        'memory.stat',
        'memory.events',
        'memory.pressure',
      ];
      for (const name of files) room.file(`sys/fs/cgroup/${name}`, input);
      for (const name of ['meminfo', 'pressure/memory']) room.file(`proc/${name}`, input);
      room.file('sys/fs/cgroup/one/memory.max', input);
      room.file('sys/fs/cgroup/one/memory.stat', input);
      room.file('sys/fs/cgroup/one/memory.current', '4096\n');
      room.file('proc/self/cgroup', '0::/one\n');
      const [procRoot, sysRoot] = [`${room.folder}/proc`, `${room.folder}/sys`];
      const told = { scope: 'host', holders: [], observedAt: 5 };
      const sensor = createPressureSensor({ platform: 'linux', procRoot, sysRoot, now: () => 5 });
      return [
        readLinuxMemory(procRoot, sysRoot),
        readBound({ version: 'cgroup v2', path: '/', folder: `${sysRoot}/fs/cgroup` }),
        readBound({ version: 'cgroup v2', path: '/one', folder: `${sysRoot}/fs/cgroup/one` }),
        readStalls(`${procRoot}/pressure/memory`, told),
        sensor.sense([]),
      ];
    },
    most: 16_384,
  }),
  target({
    name: 'host-identity',
    covers: [
      'adapters/host/host-sensor.ts#readHostIdentity',
      'adapters/host/host-sensor.ts#createLinuxClock',
    ],
    seeds: samples(
      '0123456789abcdef0123456789abcdef\n',
      'uninitialized\n',
      'btime 1794962580\n',
      '1234.5 99\n',
    ),
    parse(input, room) {
      for (const name of ['sys/kernel/random/boot_id', 'stat', 'uptime']) room.file(`proc/${name}`, input);
      const machineIdPaths = [room.file('machine-id', input)];
      const text = input.toString('utf8');
      const sources = {
        procRoot: `${room.folder}/proc`,
        machineIdPaths,
        hostname: () => text,
        run: () => text,
      };
      return (['linux', 'darwin'] as const).map((platform) => {
        const sensor = createHostSensor({ ...sources, platform, now: () => 5, awakeNow: () => 5 });
        return [readHostIdentity({ ...sources, platform }), sensor.now(), sensor.memory()];
      });
    },
  }),
  target({
    name: 'macos-memory',
    covers: ['parseVmStat', 'readMacosMemory', 'readMacosPressure'].map(
      (name) => `adapters/host/macos-memory.ts#${name}`,
    ),
    seeds: () => [
      recorded('adapters/host/fixtures/vm-stat-apple-silicon.txt'),
      ...samples(
        '17179869184\n',
        '2\n',
        'total = 2048.00M  used = 1023.25M  free = 1024.75M  (encrypted)\n',
      )(),
    ],
    parse(input) {
      const text = input.toString('utf8');
      const vmStat = recorded('adapters/host/fixtures/vm-stat-apple-silicon.txt').toString('utf8');
      const run = (program: string) => (program.endsWith('vm_stat') ? vmStat : text);
      return [
        parseVmStat(text, 16e9),
        readMacosMemory(run),
        readMacosPressure(() => text, 5),
        readMacosPressure(run, 5),
      ];
    },
  }),
  target({
    name: 'macos-processes',
    covers: ['parseProcessList', 'parseTexts', 'splitArguments', 'findMarkers'].map(
      (name) => `adapters/proc/parse-macos-ps.ts#${name}`,
    ),
    seeds: () => [
      recorded('adapters/proc/fixtures/macos-ps-list.txt'),
      recorded('adapters/proc/fixtures/macos-ps-args.txt'),
      recorded('adapters/proc/fixtures/macos-ps-environment.txt'),
      ...recordedLines('adapters/proc/fixtures/macos-ps-environment.txt').slice(0, 5),
    ],
    words: [' TMUX=/a,1,2', ' TMUX_PANE=%1', '??', 'Tue Nov 14 09:20:31 2026'],
    parse(input) {
      const text = input.toString('utf8');
      return [
        parseProcessList(text),
        [...parseTexts(text)].map(([pid, one]) => [pid, one.text]),
        splitArguments(text),
        findMarkers(text),
      ];
    },
    growth: 120,
  }),
  target({
    name: 'given-prompt',
    covers: ['core/prompt/shape.ts#givenPattern'],
    seeds: samples(
      '\\[\\e]0;\\u@\\h: \\w\\a\\]\\u@\\h:\\w\\$ ',
      '%n@%m %1~ %# ',
      '%F{blue}%~%f %# ',
      `\${debian_chroot:+($debian_chroot)}\\$ `,
    ),
    words: ['\\[', '\\]', '%{', '%}', '\\u', '%1~', '$?'],
    parse(input) {
      const text = input.toString('utf8');
      return ['bash', 'zsh'].map((program) => givenPattern(text, program, SHELL)?.source.length ?? null);
    },
    hard: {
      'brackets without end': (bytes) => Buffer.alloc(bytes, '\\['),
      'colours without end': (bytes) => Buffer.alloc(bytes, '%{'),
    },
  }),
];
