import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isLocked, takeLockFile } from '../../../src/adapters/lock/lock-file.ts';
import { readProcessStat } from '../../../src/adapters/lock/process-stat.ts';
import { type LockHolder, toHolderLine } from '../../../src/core/lock/holder.ts';
import type { LockSighting } from '../../../src/core/lock/sighting.ts';
import type { Hold, LockOutcome, Locks } from '../../../src/ports/lock.ts';
import { until } from '../../support/until.ts';
import { locksIn } from './locks-in.ts';
import { OwnProcess } from './own-process.ts';

const SUBJECT = { name: 'runner', project: '/some/project' };
const CLAIM = { task: 'T-1', argv: ['make', 'all'] };

let own: OwnProcess;
let folder: string;
let locks: Locks;
beforeAll(async () => {
  own = await OwnProcess.prepare();
});
afterAll(() => own.remove());
beforeEach(() => {
  folder = join(own.made('state'), 'locks');
  locks = locksIn(folder);
});

const held = (taken: LockOutcome): Hold => {
  if (taken.state !== 'held') throw new Error(`not held: ${JSON.stringify(taken)}`);
  return taken.hold;
};
const seen = (project?: string): readonly LockSighting[] => {
  const sightings = locks.sightings(project);
  if (sightings.state === 'failed') throw new Error(sightings.text);
  return sightings.locks;
};
const lockFile = () => join(folder, readdirSync(folder)[0] ?? '');
const TAKE_AND_STAY = `
  const taken = locks.tryLock(${JSON.stringify(SUBJECT)}, claim);
  say(taken.state);
  setInterval(() => {}, 1000);`;

describe('one lock', () => {
  it('has one holder, also inside one process, and is free after its release', () => {
    const hold = held(locks.tryLock(SUBJECT, CLAIM));
    const second = locks.tryLock(SUBJECT, CLAIM);
    expect(second).toMatchObject({
      state: 'busy',
      by: { state: 'held', holderLife: 'alive', holder: { pid: process.pid, task: 'T-1' } },
    });
    hold.release();
    hold.release();
    held(locks.tryLock(SUBJECT, CLAIM)).release();
  });

  it('S52: does not concern another project or another name', () => {
    const holds = [SUBJECT, { ...SUBJECT, project: '/other/project' }, { ...SUBJECT, name: 'tests' }].map(
      (subject) => held(locks.tryLock(subject, CLAIM)),
    );
    expect(seen().map(({ state }) => state)).toEqual(['held', 'held', 'held']);
    expect(seen('/other/project')).toMatchObject([{ project: '/other/project', name: 'runner' }]);
    for (const hold of holds) hold.release();
  });

  it('lies in a folder and a file for the owner only', () => {
    held(locks.tryLock(SUBJECT, CLAIM)).release();
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expect(lstatSync(lockFile()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^project\.runner\.[0-9a-f]{16}\.lock$/)]);
  });

  it('S50, S52: is free at once when its holder is killed, with nothing to clean', async () => {
    const holder = own.start(folder, TAKE_AND_STAY);
    await until('it is taken', () => holder.said.length > 0);
    const refused = locks.tryLock(SUBJECT, CLAIM);
    expect(refused).toMatchObject({
      state: 'busy',
      by: {
        holder: { pid: holder.pid, task: 'a task', argv: ['a', 'program'], ...SUBJECT },
        holderLife: 'alive',
        heldBy: [{ pid: holder.pid, part: 'taker' }],
      },
    });
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(seen()).toMatchObject([
      { state: 'free', holder: { pid: holder.pid }, holderLife: 'gone', heldBy: [] },
    ]);
    held(locks.tryLock(SUBJECT, CLAIM)).release();
  });

  it('S52: two stealers of one left-over file: exactly one gets it', async () => {
    held(locks.tryLock(SUBJECT, CLAIM)).release();
    const stealers = Array.from({ length: 8 }, () =>
      own.start(folder, `process.stdin.once('data', () => {${TAKE_AND_STAY}}); say('ready');`),
    );
    await until('all are ready', () => stealers.every(({ said }) => said.length === 1));
    for (const { child } of stealers) child.stdin?.write('go\n');
    await until('all have tried', () => stealers.every(({ said }) => said.length === 2));
    expect(stealers.map(({ said }) => said[1]).filter((state) => state === 'held')).toHaveLength(1);
    for (const { child } of stealers) child.kill('SIGKILL');
  });

  it('is refused only by a live holder, while one waits for it until it ends', async () => {
    const holder = own.start(folder, TAKE_AND_STAY);
    await until('it is taken', () => holder.said.length > 0);
    const told: number[] = [];
    const waiting = locks.waitForLock(SUBJECT, CLAIM, {
      timeoutMs: 60_000,
      tellEveryMs: 20,
      onWait: (by) => told.push(by.holder?.pid ?? 0),
    });
    await until('it was told twice', () => told.length >= 2);
    holder.child.kill('SIGKILL');
    held(await waiting).release();
    expect(new Set(told)).toEqual(new Set([holder.pid]));
  });

  it('is not waited for any longer than asked', async () => {
    const hold = held(locks.tryLock(SUBJECT, CLAIM));
    const startedAt = performance.now();
    expect(await locks.waitForLock(SUBJECT, CLAIM, { timeoutMs: 120 })).toMatchObject({ state: 'busy' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(120);
    hold.release();
  });

  it('is still one lock when its file is tidied away again and again by whoever holds it', async () => {
    held(locks.tryLock(SUBJECT, CLAIM)).release();
    const marker = join(own.made('marker'), 'inside');
    const tidiers = Array.from({ length: 3 }, () =>
      own.start(
        folder,
        `let overlaps = 0;
        for (let round = 0; round < 1500; ) {
          let descriptor = null;
          // Among so many tidiers one may find the file replaced too often in a row, and says so.
          try { descriptor = takeLockFile(args[0]); } catch (error) { if (!/replaced/.test(error.message)) throw error; }
          if (descriptor === null) continue;
          round += 1;
          try { fs.mkdirSync(args[1]); } catch { overlaps += 1; }
          try { fs.rmdirSync(args[1]); } catch { overlaps += 1; }
          fs.rmSync(args[0]);
          fs.closeSync(descriptor);
        }
        say(overlaps);`,
        lockFile(),
        marker,
      ),
    );
    await Promise.all(tidiers.map(({ ended }) => ended));
    await until('they have counted', () => tidiers.every(({ said }) => said.length === 1));
    expect(tidiers.map(({ said }) => said[0])).toEqual([0, 0, 0]);
  });

  it('of a session is held although its file was removed, and no other session’s is', async () => {
    const ofSession = (project: string) => ({ name: 'session', project });
    const keys = [
      '3d1219c7.7672445f.3352.266363.s2.1795052209',
      '3d1219c7.7672445f.3352.266363.s3.1795052210',
    ];
    const holders = keys.map((key) =>
      own.start(
        folder,
        `say(locks.tryLock({ name: 'session', project: args[0] }, claim).state); setInterval(() => {}, 1000);`,
        key,
      ),
    );
    await until('both are taken', () => holders.every(({ said }) => said.length > 0));
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    for (const [at, key] of keys.entries()) {
      expect(locks.tryLock(ofSession(key), CLAIM)).toMatchObject({
        state: 'busy',
        by: { name: 'session', project: key, holder: { pid: holders[at]?.pid }, holderLife: 'alive' },
      });
    }
    held(locks.tryLock(ofSession('another'), CLAIM)).release();
    for (const { child } of holders) child.kill('SIGKILL');
    await Promise.all(holders.map(({ ended }) => ended));
    for (const key of keys) held(locks.tryLock(ofSession(key), CLAIM)).release();
  });

  it('of what is no folder is held although its file was removed, whatever its name', () => {
    // Too long for a path; and one that is the name of a folder where rollcall was called.
    for (const project of [`new:${'n'.repeat(500)}`, 'src']) {
      const subject = { name: 'session', project };
      const hold = held(locks.tryLock(subject, CLAIM));
      rmSync(hold.file);
      expect(locks.tryLock(subject, CLAIM)).toMatchObject({
        state: 'busy',
        by: { ...subject, holder: { pid: process.pid } },
      });
      expect(seen(project)).toMatchObject([{ ...subject, state: 'held' }]);
      hold.release();
    }
  });

  it('is still one lock when somebody tidied its file away while it was free', () => {
    held(locks.tryLock(SUBJECT, CLAIM)).release();
    rmSync(lockFile());
    const hold = held(locks.tryLock(SUBJECT, CLAIM));
    expect(locks.tryLock(SUBJECT, CLAIM).state).toBe('busy');
    hold.release();
  });
});

describe('what a file says', () => {
  const note = (holder: Partial<LockHolder>) => {
    const ticks = readProcessStat(process.pid)?.startTicks ?? 0;
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const pidNamespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
    const full = {
      ...CLAIM,
      ...SUBJECT,
      pid: process.pid,
      startTicks: ticks,
      ...{ bootId, pidNamespace },
      since: 5,
      runner: null,
    };
    return toHolderLine({ ...full, ...holder });
  };
  const leave = (text: string) => {
    held(locks.tryLock(SUBJECT, CLAIM)).release();
    writeFileSync(lockFile(), text);
  };

  it('S52: locks nothing, even if it names a process that lives', () => {
    leave(note({}));
    expect(seen()).toMatchObject([{ state: 'free', holderLife: 'alive', heldBy: [] }]);
    held(locks.tryLock(SUBJECT, CLAIM)).release();
  });

  it('S6, S52: is known to be gone after a reboot, and when the pid came back', () => {
    leave(note({ bootId: 'another-boot' }));
    expect(seen()[0]).toMatchObject({ state: 'free', holderLife: 'gone' });
    leave(note({ startTicks: 1 }));
    expect(seen()[0]).toMatchObject({ state: 'free', holderLife: 'gone' });
    leave(note({}));
    expect(seen()[0]).toMatchObject({ holderLife: 'alive' });
  });

  it('S34: is unknown in a container that shares the folder', () => {
    leave(note({ pidNamespace: '1' }));
    expect(seen()[0]).toMatchObject({ state: 'free', holderLife: 'unknown' });
  });

  it('S52: another user’s process counts as alive', () => {
    leave(note({ pid: 1, startTicks: readProcessStat(1)?.startTicks ?? -1 }));
    expect(seen()[0]).toMatchObject({ holderLife: 'alive' });
  });

  it('S52: may be empty, half-written or nonsense, and the lock is still the kernel’s', async () => {
    const holder = own.start(folder, TAKE_AND_STAY);
    await until('it is taken', () => holder.said.length > 0);
    for (const text of ['', '{"pid":12', 'x'.repeat(200_000), '\u001b[2J\n']) {
      writeFileSync(lockFile(), text);
      expect(locks.tryLock(SUBJECT, CLAIM)).toMatchObject({
        state: 'busy',
        by: { ...SUBJECT, holder: null, heldBy: [{ pid: holder.pid }] },
      });
    }
    holder.child.kill('SIGKILL');
    await holder.ended;
    held(locks.tryLock(SUBJECT, CLAIM)).release();
    expect(seen()[0]).toMatchObject({ holder: { pid: process.pid } });
  });

  it('names the runner once it is known', () => {
    const hold = held(locks.tryLock(SUBJECT, CLAIM));
    hold.noteRunner(process.ppid);
    expect(seen()[0]?.holder?.runner).toEqual({
      pid: process.ppid,
      startTicks: readProcessStat(process.ppid)?.startTicks,
    });
    hold.release();
  });
});

describe('the moment between taking a lock and saying so', () => {
  it('S52: names who really has it, and never the one before', async () => {
    held(locks.tryLock(SUBJECT, { task: 'before', argv: [] })).release();
    const before = own.start(folder, TAKE_AND_STAY);
    await until('it is taken', () => before.said.length > 0);
    before.child.kill('SIGKILL');
    await before.ended;
    const silent = own.start(
      folder,
      'takeLockFile(args[0]); say(1); setInterval(() => {}, 1000);',
      lockFile(),
    );
    await until('it is taken', () => silent.said.length > 0);
    const refused = locks.tryLock(SUBJECT, CLAIM);
    expect(refused).toMatchObject({
      state: 'busy',
      by: { state: 'held', holderLife: 'gone', heldBy: [{ pid: silent.pid, part: 'descendant' }] },
    });
    expect(seen()).toMatchObject([{ state: 'held' }]);
    silent.child.kill('SIGKILL');
  });
});

describe('looking', () => {
  it('sees the lock itself, not only what /proc tells', () => {
    const hold = held(locks.tryLock(SUBJECT, CLAIM));
    expect(isLocked(hold.file)).toBe(true);
    hold.release();
    expect(isLocked(hold.file)).toBe(false);
  });

  it('needs no folder and makes none', () => {
    expect(seen()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('is in nobody’s way: thousands take it while others look all the time', async () => {
    held(locks.tryLock(SUBJECT, CLAIM)).release();
    const lookers = Array.from({ length: 2 }, () =>
      own.start(
        folder,
        `say('ready');
        let looks = 0;
        process.stdin.once('data', () => { say(looks); process.exit(); });
        for (;;) {
          for (let n = 0; n < 20; n += 1) { isLocked(args[0]); looks += 1; }
          locks.sightings();
          if (looks === 200) say('looked');
          await new Promise((resolve) => setImmediate(resolve));
        }`,
        lockFile(),
      ),
    );
    // Until the last one does, the first may have looked often.
    await until('they look', () => lookers.every(({ said }) => said.length >= 1));
    let refused = 0;
    const takeOften = () => {
      for (let round = 0; round < 20_000; round += 1) {
        const descriptor = takeLockFile(lockFile());
        if (descriptor === null) refused += 1;
        else closeSync(descriptor);
      }
    };
    await until('they have looked meanwhile', () => {
      takeOften();
      return lookers.every(({ said }) => said.length >= 2);
    });
    expect(refused).toBe(0);
    for (let round = 0; round < 100; round += 1) held(locks.tryLock(SUBJECT, CLAIM)).release();
    for (const { child } of lookers) child.stdin?.write('stop\n');
    await until('they have counted', () => lookers.every(({ said }) => said.length === 3));
    for (const { said } of lookers) expect(said[2]).toBeGreaterThanOrEqual(200);
  });
});

describe('held locks', () => {
  it('are told as among all, and free ones are left out', () => {
    expect(locks.heldNow()).toEqual({ state: 'seen', locks: [] });
    held(locks.tryLock({ ...SUBJECT, name: 'other' }, CLAIM)).release();
    const hold = held(locks.tryLock(SUBJECT, CLAIM));
    expect(seen()).toHaveLength(2);
    expect(locks.heldNow()).toEqual({ state: 'seen', locks: seen().filter(({ state }) => state === 'held') });
    hold.release();
    expect(locks.heldNow()).toEqual({ state: 'seen', locks: [] });
  });
});

describe('the holder of one lock', () => {
  it('is told while it holds it, and by its own file only', () => {
    expect(locks.holderOf(SUBJECT)).toBeNull();
    const hold = held(locks.tryLock(SUBJECT, CLAIM));
    expect(locks.holderOf(SUBJECT)).toMatchObject({ ...SUBJECT, ...CLAIM, pid: process.pid });
    expect(locks.holderOf({ ...SUBJECT, name: 'other' })).toBeNull();
    hold.release();
    expect(locks.holderOf(SUBJECT)).toBeNull();
  });

  it('is left to a whole look where the note names nobody who lives', () => {
    const hold = held(locks.tryLock(SUBJECT, CLAIM));
    const holder = locks.holderOf(SUBJECT) as LockHolder;
    writeFileSync(hold.file, toHolderLine({ ...holder, startTicks: holder.startTicks + 1 }));
    expect(locks.holderOf(SUBJECT)).toBeNull();
    writeFileSync(hold.file, 'nobody');
    expect(locks.holderOf(SUBJECT)).toBeNull();
    expect(seen()).toMatchObject([{ state: 'held', holder: null }]);
    hold.release();
  });

  it('is left to a whole look where others may write to the folder', () => {
    const hold = held(locks.tryLock(SUBJECT, CLAIM));
    chmodSync(folder, 0o777);
    expect(locks.holderOf(SUBJECT)).toBeNull();
    expect(locks.sightings().state).toBe('failed');
    hold.release();
  });
});

describe('a folder that is not to be trusted', () => {
  const failure = () => locks.tryLock(SUBJECT, CLAIM);

  it('S55: is refused when it is a link, a file, or open to others', () => {
    const elsewhere = own.made('elsewhere');
    symlinkSync(elsewhere, folder);
    expect(failure()).toMatchObject({ state: 'failed', text: expect.stringContaining('symbolic link') });
    expect(locks.sightings()).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('symbolic link'),
    });
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(folder);
    writeFileSync(folder, '');
    expect(failure()).toMatchObject({ state: 'failed', text: expect.stringContaining('not a folder') });
    rmSync(folder);
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    expect(failure()).toMatchObject({ state: 'failed', hint: expect.stringContaining('chmod 700') });
  });

  it.runIf(process.getuid?.() === 0)('S55: is refused when it belongs to somebody else', () => {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 12345, 12345);
    expect(failure()).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('belongs to user 12345'),
    });
  });

  it('S55: a lock file that is a link, a folder or a fifo is refused and not followed', () => {
    held(locks.tryLock(SUBJECT, CLAIM)).release();
    const file = lockFile();
    const victim = join(own.made('victim'), 'file');
    writeFileSync(victim, 'precious');
    renameSync(file, `${file}.old`);
    symlinkSync(victim, file);
    expect(failure()).toMatchObject({ state: 'failed', text: `${file}: it is a symbolic link` });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    rmSync(file);
    mkdirSync(file);
    expect(failure()).toMatchObject({ state: 'failed' });
    rmSync(file, { recursive: true });
    execFileSync('mkfifo', [file]);
    expect(failure()).toMatchObject({ state: 'failed', text: `${file}: it is not a regular file` });
    const refused = { state: 'failed', text: `${file}: it is not a regular file` };
    expect(locks.sightings()).toMatchObject(refused);
    expect(locks.heldNow()).toMatchObject(refused);
  });

  it.runIf(process.getuid?.() === 0)('S55: a lock file of another user is refused', () => {
    held(locks.tryLock(SUBJECT, CLAIM)).release();
    chownSync(lockFile(), 12345, 12345);
    expect(failure()).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('belongs to user 12345'),
    });
  });

  it('is refused on a network file system, with a way out', () => {
    locks = locksIn(folder, { fileSystemType: () => 0x6969 });
    expect(failure()).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('NFS'),
      hint: expect.stringContaining('XDG_STATE_HOME'),
    });
  });

  it('S36: says what is wrong where nothing can be made', () => {
    locks = locksIn(join(dirname(folder), 'missing', 'locks'));
    expect(failure()).toMatchObject({ state: 'failed', text: expect.stringContaining('ENOENT') });
  });
});
