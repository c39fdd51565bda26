import { afterAll, describe, expect, it } from 'vitest';
import { readOwnStatus } from '../../src/adapters/agents/claude/status.ts';
import { taleOf } from '../../src/adapters/agents/claude/transcript.ts';
import { createTitleSettings } from '../../src/adapters/agents/codex/settings.ts';
import { signOfThread } from '../../src/adapters/agents/codex/status.ts';
import { createTranscripts } from '../../src/adapters/agents/codex/transcript.ts';
import { lastCall } from '../../src/adapters/agents/common/last-call.ts';
import { readRefs } from '../../src/adapters/git/read-branches.ts';
import { readStatus } from '../../src/adapters/git/read-status.ts';
import { parsePlainConfig } from '../../src/adapters/git/repository-config.ts';
import { readCodexConfig } from '../../src/adapters/hook-config/codex-review.ts';
import { cgroupsAround } from '../../src/adapters/host/cgroup-chain.ts';
import { createLinuxClock } from '../../src/adapters/host/host-sensor.ts';
import { meminfoFields, readBound } from '../../src/adapters/host/linux-memory.ts';
import { parseVmStat } from '../../src/adapters/host/macos-memory.ts';
import { readBootTicks } from '../../src/adapters/proc/kernel-units.ts';
import { parseProcessList } from '../../src/adapters/proc/parse-macos-ps.ts';
import { parseStat } from '../../src/adapters/proc/parse-stat.ts';
import { readStarted } from '../../src/adapters/tmux/act/started.ts';
import { capturedScreen, plainRow, screenLines } from '../../src/adapters/tmux/capture-screens.ts';
import { parseArgv } from '../../src/cli/frame/parse-argv.ts';
import { splitWords } from '../../src/core/gate/parse-check.ts';
import { isRecollection } from '../../src/core/memory/recollection.ts';
import { givenPattern } from '../../src/core/prompt/shape.ts';
import { isBudgetBook } from '../../src/core/reaper/budget.ts';
import { leadsElsewhere, mountAt, mountsIn } from '../../src/core/sight/mounts.ts';
import { namesInEnvironment } from '../../src/core/sight/server-environment.ts';
import { wordsOfLine } from '../../src/core/sight/start-command.ts';
import { shownWords } from '../../src/core/text/shown-words.ts';
import { cpuSeconds } from '../support/cpu-seconds.ts';
import { enterRoom, judged } from './judge.ts';
import { TARGETS } from './registry.ts';

// Inputs that once broke a parser. Times are of this thread alone; what was quadratic took more than three seconds.

const room = enterRoom();
afterAll(() => room.leave());

const targetOf = (name: string) => {
  const found = TARGETS.find((target) => target.name === name);
  if (found === undefined) throw new Error(`no target ${name}`);
  return found;
};
const judge = (name: string, text: string | Buffer) =>
  judged(targetOf(name), { input: Buffer.from(text) }, room);
const MANY = '9'.repeat(400);
const OID = '0'.repeat(40);

describe('time', () => {
  it('is linear for blanks before a letter in a row of a screen', () => {
    const row = `${' '.repeat(150_000)}x`;
    expect(cpuSeconds(() => expect(plainRow(row)).toBe(row))).toBeLessThan(1);
  });

  it('is linear for blanks before a letter in the history of a pane', async () => {
    const text = `${' '.repeat(150_000)}x  \n`;
    const startedAt = process.cpuUsage();
    expect(await judge('tmux-history', text)).toBeNull();
    expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(2);
  });

  it('is linear for empty lines in the config of a repository', () => {
    expect(cpuSeconds(() => parsePlainConfig('\n'.repeat(100_000)))).toBeLessThan(1);
  });

  it('is linear for blanks in the config of a repository', () => {
    const text = `[core]\n\ta = ${' '.repeat(3000)}"x`;
    expect(cpuSeconds(() => expect(parsePlainConfig(text)).toBeNull())).toBeLessThan(1);
  });

  it('is linear for blanks in the settings of Codex', () => {
    room.file('codex/config.toml', `animations =${' '.repeat(500_000)}${'x'.repeat(3000)}`);
    const read = createTitleSettings(() => 0);
    const home = `${room.folder}/codex`;
    expect(cpuSeconds(() => read({ overrides: new Map() } as never, home, home))).toBeLessThan(0.5);
  });

  it('is linear for blanks above the input box of Claude Code', async () => {
    const rule = '─'.repeat(80);
    const rows = `${' '.repeat(100_000)}x\n${rule}\n❯ \n${rule}\n  ? for shortcuts`;
    const startedAt = process.cpuUsage();
    expect(await judge('claude-screen', `2 2 120 5\n${rows}`)).toBeNull();
    expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(2);
  });

  it('is linear for many mounts, also where each is on the one before', () => {
    const lines = Array.from(
      { length: 2000 },
      (_, at) => `${at + 2} ${at + 1} 0:${at} / /mnt/${at} rw - nfs4 h rw`,
    );
    const flat = Array.from({ length: 2000 }, (_, at) => `${at + 2} 1 0:${at} / /mnt/${at} rw - nfs4 h rw`);
    for (const rest of [lines, flat]) {
      const mounts = mountsIn(['1 0 8:1 / / rw - ext4 x rw', ...rest].join('\n'));
      expect(cpuSeconds(() => leadsElsewhere({ theirs: mounts, ours: mounts }, '/mnt'))).toBeLessThan(1);
    }
  });

  it('is linear for a prompt of brackets that do not end', () => {
    const shell = { user: 'a', host: 'b', home: null, cwd: null, branch: null } as never;
    expect(
      cpuSeconds(() => expect(givenPattern('\\['.repeat(60_000), 'bash', shell)).toBeNull()),
    ).toBeLessThan(1);
  });

  it('is linear for a transcript that names one tool often and another never', () => {
    const path = room.file('long.jsonl', '{"x":"one"}\n'.repeat(60_000));
    expect(cpuSeconds(() => lastCall(path, ['"one"', '"never"'], () => null))).toBeLessThan(1.5);
  });

  it('is linear for a deep cgroup', () => {
    room.file('deep/self/cgroup', `0::${'/a'.repeat(20_000)}\n`);
    room.file('deep/self/mountinfo', '');
    expect(cpuSeconds(() => cgroupsAround(`${room.folder}/deep`, '/sys', 'self'))).toBeLessThan(1);
  });
});

describe('an end', () => {
  it('is found for mounts that are each on the other', () => {
    const text =
      '1 0 8:1 / / rw - ext4 x rw\n2 1 0:1 / /a rw - nfs x rw\n3 2 0:2 / /a rw - nfs x rw\n2 3 0:3 / /a rw - nfs x rw\n';
    expect(mountAt(mountsIn(text), '/a/b')).not.toBeNull();
  });

  it('is found for subagents of subagents without end', async () => {
    const sessions = Array.from({ length: 15_000 }, (_, at) => ({
      ...{
        id: `ses_${at + 1}`,
        parent_id: at === 0 ? null : `ses_${at}`,
        directory: '/srv',
        title: 'a',
        version: '1',
      },
      time_created: 5,
    }));
    expect(
      await judge('opencode-sessions', JSON.stringify({ sessions, messages: [], parts: [] })),
    ).toBeNull();
  });

  it('is found for a variable of some megabytes', () => {
    const text = `A="${'x'.repeat(12_000_000)}"; export A;\n`;
    expect(namesInEnvironment(text)).toEqual(['A']);
  });

  it('is found for as many lines and words as there is room for', () => {
    room.file('lines/config.toml', '\n'.repeat(500_000));
    const settings = createTitleSettings(() => 0)(
      { overrides: new Map() } as never,
      `${room.folder}/lines`,
      '/',
    );
    expect(settings.animations).toBe('on');
    expect(parseArgv(['--', ...Array.from({ length: 300_000 }, () => 'a')], {}).words).toHaveLength(300_000);
  });

  it('is found for quotes around megabytes', () => {
    const long = `"${'a'.repeat(12_000_000)}"`;
    expect(readCodexConfig(`[hooks.state.${long}]\n`).reviewed.size).toBe(0);
    expect(shownWords(long)).toBeNull();
    expect(splitWords(long).state).toBe('wrong');
    expect(wordsOfLine(long)).toHaveLength(1);
  });

  it('is found for rows without number', () => {
    expect(screenLines(Buffer.alloc(1_000_000, '\n')).length).toBeLessThanOrEqual(10_000);
  });
});

describe('a number that is none', () => {
  it('is not taken from tmux', async () => {
    expect(await judge('tmux-stance', `1|||||||%1=${MANY} |||\n`)).toBeNull();
    expect(readStarted(`n1,$1,${MANY},%1,2nname`, '/s', 'n')).toBeNull();
  });

  it('is not taken from the kernel', () => {
    const line = Buffer.from(`7 (x) S 1 7 7 0 7 0 0 0 0 0 1 1 1 1 20 0 1 0 ${MANY} 0 0 0 0 0 0 \n`);
    expect(parseStat(line, line.length, 7, { ticksPerSecond: 100, pageBytes: 4096 }, 0)).toBeNull();
    expect(meminfoFields(`MemTotal:       ${MANY} kB\n`).size).toBe(0);
    for (const name of ['memory.max', 'memory.current', 'memory.stat'])
      room.file(`group/${name}`, `${MANY}\n`);
    expect(readBound({ version: 'cgroup v2', path: '/', folder: `${room.folder}/group` })).toBeNull();
  });

  it('is not taken for the time since boot', () => {
    room.file('clock/uptime', '1e999 5\n');
    room.file('clock/self/stat', '7 (x) S 1');
    const clock = createLinuxClock({ procRoot: `${room.folder}/clock`, now: () => 5, awakeNow: () => 5 });
    expect(clock().suspendedMs).toBe(0);
    expect(readBootTicks(`${room.folder}/clock`)).toBeNull();
  });

  it('is not taken from a Mac', () => {
    expect(
      parseVmStat('page size of 4096 bytes\nPages free: 1.\nPages inactive: 1.\n', Number(MANY)),
    ).toBeNull();
    const row = `  7 1 7 0 ?? S Tue Nov 14 09:20:31 2026 0:01.00 ${MANY} x`;
    expect(parseProcessList(row)).toEqual({ processes: [], garbledLines: 1 });
  });

  it('is not taken from what was kept', () => {
    const memory = {
      format: 1,
      bootId: 'b',
      suspendedMs: 0,
      steppedMs: 0,
      servers: {},
      farewells: [],
      at: 5,
    };
    expect(isRecollection({ ...memory, awakeMs: JSON.parse('-1e999') })).toBe(false);
    const entry = {
      id: 'a',
      at: 5,
      awakeMs: JSON.parse('-1e999'),
      bootId: 'b',
      pid: 7,
      key: 'k',
      isOver: true,
    };
    expect(isBudgetBook([entry])).toBe(false);
  });

  it('makes no agent look as if it had done nothing yet', async () => {
    const status = { pid: 5, procStart: '9', status: 'idle', statusUpdatedAt: 1_000_000 };
    room.file('sessions/5.json', `${JSON.stringify(status).slice(0, -1)},"startedAt":1e999}`);
    const agent = { pid: 5, startTicks: 9, startedAt: 0, argv: [], env: () => null };
    expect(await readOwnStatus(room.folder, agent)).toMatchObject({ state: 'read', isUntouched: false });
  });

  it('is no time at which a message of opencode was complete', async () => {
    const session = {
      id: 'ses_1',
      parent_id: null,
      directory: '/srv',
      title: 'a',
      version: '1',
      time_created: 5,
    };
    const message = {
      id: 'm',
      time_created: 5,
      time_updated: 5,
      role: 'assistant',
      completed: 0,
      finish: 'stop',
    };
    const text = JSON.stringify({ sessions: [session], messages: [message], parts: [] });
    for (const broken of [
      text.replaceAll('"time_created":5', '"time_created":-1e999'),
      text.replace('"completed":0', '"completed":-1e999'),
    ]) {
      expect(() => targetOf('opencode-sessions').parse(Buffer.from(broken), room)).toThrow(
        'a form that is not known',
      );
    }
  });

  it('counts as one in the background', () => {
    const ended =
      '{"type":"user","timestamp":"2026-11-15T07:00:00Z","message":{"content":"go"}}\n{"type":"system","subtype":"turn_duration","timestamp":"2026-11-15T07:00:01Z","pendingBackgroundAgentCount":1e999}\n';
    expect(taleOf(ended)).toMatchObject({ turn: 'over', background: 1 });
  });
});

describe('a name that every object has', () => {
  it('is nothing that Codex waits for', () => {
    const thread = {
      id: 'a',
      session: 'a',
      parent: null,
      cwd: '/',
      name: null,
      transcript: null,
      isEphemeral: false,
    };
    const active = { ...thread, status: 'active', flags: ['constructor', 'waitingOnApproval'], terminals: 0 };
    expect(signOfThread(active, [active], { observedAt: 5, isVerified: true })).toMatchObject({
      waitingFor: 'permission',
    });
  });
});

describe('what cannot be read proves no rest', () => {
  const OVER = '{"timestamp":"2026-11-15T07:00:00Z","type":"event_msg","payload":{"type":"task_complete"}}\n';
  const lastTurn = (text: string) => createTranscripts().lastTurn(room.file('rollout.jsonl', text));

  it.each([
    ['half a record', '{"timestamp":"2026-11-15T07:00:05Z","type":"event_msg","payload":{"type":"task_sta'],
    ['a record that is no JSON', 'garbage\n'],
    ['a record without its line end', '{"timestamp":"2026-11-15T07:00:05Z","type":"event_msg","payload":{}}'],
  ])('in a transcript of Codex with %s behind the end of a turn', (_, tail) => {
    expect(lastTurn(OVER)?.turn).toBe('over');
    expect(lastTurn(`${OVER}${tail}`)).toBeNull();
  });

  it('and still shows work in a transcript of Codex', () => {
    const started = OVER.replace('task_complete', 'task_started');
    expect(lastTurn(`${started}{"half`)?.turn).toBe('running');
  });

  it('in a screen of which the row of the cursor is missing', () => {
    const place = { x: 2, y: 35, width: 80, height: 40 };
    expect(capturedScreen(Buffer.from('one\n > two'), place).cursor).toBeNull();
    expect(capturedScreen(Buffer.from('one\n > two'), { ...place, y: 1, height: 2 }).cursor).toMatchObject({
      y: 1,
    });
  });

  it.each([
    ['nothing at all', ''],
    ['a record of a kind that is not known', '# branch.oid (initial)\0# branch.head main\0x y\0'],
    ['a number of stashes that is none', '# branch.oid (initial)\0# branch.head main\0# stash x\0'],
  ])('in a status of git with %s', async (_, stdout) => {
    const git = async () => ({ state: 'answered', stdout: Buffer.from(stdout), isTruncated: false }) as const;
    expect(await readStatus(git)).toMatchObject({ state: 'failed' });
  });

  it.each([
    ['a line that is cut', `refs/heads/a\0${OID}\x005`],
    ['a date that is none', `refs/heads/a\0${OID}\x001e999\0\0commit\0\0`],
  ])('in a list of branches with %s', async (_, stdout) => {
    const git = async () => ({ state: 'answered', stdout: Buffer.from(stdout), isTruncated: false }) as const;
    expect(await readRefs(git)).toMatchObject({ state: 'failed' });
  });

  it('in the marks of a pane', async () => {
    expect(await judge('tmux-own-marks', '')).toBeNull();
  });
});
