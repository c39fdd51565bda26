import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFolderWatch } from '../../../src/adapters/daemon/folder-watch.ts';
import { createTerminalWatch } from '../../../src/adapters/daemon/terminal-watch.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Wake } from '../../../src/core/supervision/round.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { entry, NOW } from '../../cli/render/samples.ts';
import { until } from '../../support/until.ts';
import { KeptLog, roundOf } from './daemon-samples.ts';

/** A session with one pane, as a look has seen it. */
function inTerminal(pid: number, tty: string | undefined) {
  const pane = { kind: 'pane', source: 'tmux', observedAt: NOW, paneId: '%0', tty } as unknown as Evidence;
  const panes = [{ paneId: '%0', pid, isDead: false }] as unknown as SessionEntry['panes'];
  return entry('ours', { evidence: [pane], panes });
}

test('the kernel tells at once that the terminal of a pane goes; others’ terminals, and new ones, tell nothing', async () => {
  const label = `terminals-${randomUUID().slice(0, 8)}`;
  const tmux = (...argv: string[]) =>
    execFileSync('tmux', ['-L', label, '-f', '/dev/null', ...argv], { encoding: 'utf8' }).trim();
  const woken: Wake[] = [];
  const watch = createTerminalWatch({ log: new KeptLog() });
  try {
    const start = (name: string) =>
      tmux('new-session', '-d', '-P', '-F', '#{pane_pid} #{pane_tty}', '-s', name, 'sleep 1000').split(' ');
    const [pid, tty] = start('ours');
    const [otherPid] = start('other');
    watch.start((why) => woken.push(why));
    await watch.follow(roundOf({ sessions: [inTerminal(Number(pid), tty ?? '')] }));
    start('new');
    process.kill(Number(otherPid), 'SIGKILL');
    await until('the other is gone', () => !tmux('list-sessions', '-F', '#{session_name}').includes('other'));
    expect(woken).toEqual([]);
    process.kill(Number(pid), 'SIGKILL');
    await until('it is heard', () => woken.length > 0);
    // The kernel tells in order: the other's would have come before.
    expect(woken).toEqual(['death']);
  } finally {
    await watch.stop();
    tmux('kill-server');
  }
});

test('where there is no such folder nothing is heard, and nothing fails', async () => {
  const log = new KeptLog();
  const watch = createTerminalWatch({ log, folder: '/nowhere/pts' });
  watch.start(() => {});
  await watch.follow(roundOf());
  expect(watch.isDeaf?.() ?? false).toBe(false);
  await watch.stop();
  expect(log.lines).toEqual([]);
});

const MOUNTS = [
  '20 1 8:1 / / rw - ext4 /dev/sda1 rw',
  '21 20 0:5 / /dev rw - devtmpfs udev rw',
  '22 21 0:24 / /dev/pts rw - devpts devpts rw',
  '',
].join('\n');
/** One that does not answer, in a namespace of its own. */
const OVER_DEV = '23 21 0:50 / /dev rw - fuse.stuck stuck rw\n';

describe('in a folder where much happens', () => {
  let [folder, procRoot] = ['', ''];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'terminals-'));
    for (const name of ['0', '1', 'ptmx']) writeFileSync(join(folder, name), '');
    procRoot = join(folder, 'proc');
    play('self');
    play(7);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What the kernel tells of a process: its terminal, and what is mounted where it runs. */
  function play(pid: number | 'self', { device = 136 << 8, mounts = MOUNTS } = {}) {
    mkdirSync(join(procRoot, String(pid)), { recursive: true });
    writeFileSync(join(procRoot, String(pid), 'mountinfo'), mounts);
    writeFileSync(join(procRoot, String(pid), 'stat'), `${pid} (a) b) S 1 ${pid} ${pid} ${device} -1 0 0\n`);
  }

  /** What a watch hears, and another that was there first: what that one hears has been told to the first before. */
  function listening(elapsedMs = () => 0) {
    const log = new KeptLog();
    const woken: Wake[] = [];
    const watch = createTerminalWatch({ log, folder, procRoot, elapsedMs });
    const heard = { rename: 0, change: 0 };
    const other = createFolderWatch({
      folder,
      log: new KeptLog(),
      why: 'file',
      isNews: (_, event) => {
        heard[event] += 1;
        return false;
      },
    });
    watch.start((why) => woken.push(why));
    other.start(() => {});
    const follow = (pid = 7, tty = '/dev/pts/0') =>
      watch.follow(roundOf({ sessions: [inTerminal(pid, tty)] }));
    const stop = async () => {
      await watch.stop();
      await other.stop();
    };
    const isDeaf = () => watch.isDeaf?.() ?? false;
    return { ...{ log, woken, heard, follow, stop, isDeaf }, hearsAll: watch.hearsAll, watch };
  }

  /** Two terminals are written to in turn, so that no event is joined with the one before it. */
  async function write(heard: { readonly change: number }) {
    const before = heard.change;
    for (let count = 1; count <= 30; count += 1) appendFileSync(join(folder, `${count % 2}`), 'x');
    await until('all is heard', () => heard.change >= before + 30);
  }

  /** A terminal goes, and comes again. */
  async function goes(name: string, heard: { readonly rename: number }) {
    const before = heard.rename;
    rmSync(join(folder, name));
    await until('it is heard', () => heard.rename > before);
    writeFileSync(join(folder, name), '');
    await until('that too', () => heard.rename > before + 1);
  }

  test('the watch pauses, says so, and listens again when that is over', async () => {
    let now = 0;
    const { log, woken, heard, follow, stop, isDeaf, hearsAll } = listening(() => now);
    await follow();
    expect(hearsAll()).toBe(true);
    await write(heard);
    await follow();
    await goes('0', heard);
    expect([log.events, woken, isDeaf(), hearsAll()]).toEqual([['terminal-watch-paused'], [], false, false]);
    now = 60_000;
    await follow();
    expect(hearsAll()).toBe(true);
    await goes('0', heard);
    await stop();
    expect([log.events, woken]).toEqual([['terminal-watch-paused'], ['death']]);
  });

  test('it does not where that happens seldom', async () => {
    let now = 0;
    const slowly = () => {
      now += 100;
      return now;
    };
    const { log, woken, heard, follow, stop } = listening(slowly);
    await follow();
    await write(heard);
    await goes('0', heard);
    await stop();
    expect([log.events, woken]).toEqual([[], ['death']]);
  });

  test('it pauses too where terminals come and go without end', async () => {
    const { log, heard, follow, stop } = listening();
    await follow();
    for (let count = 0; count < 260; count += 1) {
      rmSync(join(folder, '1'));
      writeFileSync(join(folder, '1'), '');
    }
    await until('all is heard', () => heard.rename >= 520);
    await stop();
    expect(log.events).toEqual(['terminal-watch-paused']);
  });

  test('all panes are heard only where each living one is, however many sessions it is in', async () => {
    const { watch, hearsAll, stop } = listening();
    expect(hearsAll()).toBe(false);
    const follow = (...sessions: SessionEntry[]) => watch.follow(roundOf({ sessions }));
    const [heard, elsewhere, untold] = [
      inTerminal(7, '/dev/pts/0'),
      inTerminal(9, '/dev/pts/1'),
      inTerminal(10, undefined),
    ];
    const dead = { ...untold, panes: untold.panes.map((pane) => ({ ...pane, isDead: true })) };
    await follow(heard, { ...heard, name: 'linked' }, dead);
    expect(hearsAll()).toBe(true);
    await follow(heard, elsewhere);
    expect(hearsAll()).toBe(false);
    await follow(heard, untold);
    expect(hearsAll()).toBe(false);
    await follow(heard);
    expect(hearsAll()).toBe(true);
    await stop();
    expect(hearsAll()).toBe(false);
  });

  test('a death is told once', async () => {
    const { woken, heard, follow, stop } = listening();
    await follow();
    await goes('0', heard);
    await goes('0', heard);
    await stop();
    expect(woken).toEqual(['death']);
  });

  test.each([
    ['has terminals of its own by the same names', { mounts: MOUNTS.replace('0:24', '0:99') }],
    ['has something else mounted over its terminals', { mounts: `${MOUNTS}${OVER_DEV}` }],
    ['is in another terminal', { device: (136 << 8) | 1 }],
    ['is in a terminal whose number begins alike', { device: (136 << 8) | (1 << 20) }],
    ['is in no pseudoterminal', { device: 4 << 8 }],
    ['tells nothing', { mounts: '' }],
  ])('what %s tells none', async (_, told) => {
    play(8, told);
    const { woken, heard, follow, stop } = listening();
    await follow(8);
    await goes('0', heard);
    await stop();
    expect(woken).toEqual([]);
  });

  test('a name that is no terminal’s, and a process that is gone, tell none', async () => {
    const { woken, heard, follow, stop } = listening();
    await follow(7, '/dev/pts/ptmx');
    await goes('ptmx', heard);
    await follow(9);
    await goes('0', heard);
    await stop();
    expect(woken).toEqual([]);
  });

  test('S36: nothing is looked at below the root of another process, where nobody may answer', async () => {
    play(7, { mounts: `${MOUNTS}${OVER_DEV}` });
    mkdirSync(join(procRoot, '7/root/dev/pts'), { recursive: true });
    writeFileSync(join(procRoot, '7/root/dev/pts/0'), '');
    const { woken, heard, follow, stop } = listening();
    await follow();
    await goes('0', heard);
    await stop();
    expect(woken).toEqual([]);
  });
});
