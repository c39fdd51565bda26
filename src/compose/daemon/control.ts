import { homedir } from 'node:os';
import { join } from 'node:path';
import { askDaemon, startBehind, watchProcess } from '../../adapters/daemon/daemon-process.ts';
import { endOfLog } from '../../adapters/daemon/log-file.ts';
import { createServiceDesk } from '../../adapters/daemon/service.ts';
import { removeQuietly } from '../../adapters/files/replace-file.ts';
import { createHostSensor } from '../../adapters/host/host-sensor.ts';
import { createJsonFile, type JsonFile } from '../../adapters/state/json-file.ts';
import type { LockHolder } from '../../core/lock/holder.ts';
import { DAEMON } from '../../core/lock/subject.ts';
import { isSameProcess } from '../../core/sight/identity.ts';
import { judgeAnswer } from '../../core/supervision/answering.ts';
import type { DaemonControl, DaemonNote, DaemonSighting, DaemonStanding } from '../../ports/daemon.ts';
import type { Locks } from '../../ports/lock.ts';
import { composeLocks } from '../locks.ts';
import { ownStateFolder, ownUid, withUserPath } from '../system/own-user.ts';

/** The daemon of this user as other processes see it. */
export async function composeDaemonControl(env: NodeJS.ProcessEnv): Promise<DaemonControl> {
  const folder = ownStateFolder(env);
  const files = daemonFiles(folder.path);
  const locks = await composeLocks(env);
  const host = createHostSensor({ now: Date.now });
  const see = () => seeDaemon(locks, files);
  return {
    logPath: files.logPath,
    see,
    async answer({ pid, note, standing }) {
      if (note === null) return null;
      return judgeAnswer(pid, await askDaemon(pid, note.socket), standing, host.now());
    },
    startBehind: (argv) => startBehind(argv, withUserPath(env), files.logPath),
    askToStop(seen) {
      // The lock is the proof that this pid is still the daemon: only its holder can have it.
      const now = see();
      if (now.state !== 'running' || now.pid !== seen.pid || now.since !== seen.since) return false;
      try {
        process.kill(seen.pid, 'SIGTERM');
        return true;
      } catch {
        return false;
      }
    },
    watch: ({ pid }) => watchProcess(pid),
    endOfLog: (lines) => endOfLog(files.logPath, lines),
    service: (argv) => createServiceDesk({ env, uid: ownUid(), home: env.HOME || homedir(), argv }),
  };
}

/** Whether a daemon runs: the kernel's lock decides, and its files count only where they are that very process's. */
export function seeDaemon(locks: Locks, files: DaemonFiles): DaemonSighting {
  const known = locks.holderOf(DAEMON);
  if (known?.name === DAEMON.name && known.project === DAEMON.project) return running(known, files);
  const seen = locks.sightings();
  if (seen.state === 'failed') return { state: 'unknown', text: seen.text, hint: seen.hint };
  const lock = seen.locks.find(({ name, project }) => name === DAEMON.name && project === DAEMON.project);
  if (lock === undefined || lock.state === 'free') return { state: 'absent' };
  const { holder } = lock;
  // Only a process that is seen here may be sent anything: the number of one in another container is somebody else's.
  if (holder === null || lock.holderLife !== 'alive') {
    const text = 'something holds the daemon’s lock and does not say who it is';
    const mayPass = lock.holderLife === 'unknown' ? {} : { mayPass: true as const };
    return { state: 'unknown', text, hint: 'rollcall lock status shows which processes hold it', ...mayPass };
  }
  return running(holder, files);
}

function running(holder: LockHolder, files: DaemonFiles): DaemonSighting {
  const note = files.note.load();
  const standing = files.standing.load();
  const isIts =
    note.state === 'loaded' && isSameProcess(note.value, holder) && note.value.bootId === holder.bootId;
  return {
    ...{ state: 'running', pid: holder.pid, since: holder.since },
    note: isIts ? note.value : null,
    standing: isIts && standing.state === 'loaded' && isOf(standing.value, holder) ? standing.value : null,
  };
}

// Another boot may have had a daemon of the same pid; an older one does not say of which boot it is.
function isOf({ pid, bootId }: DaemonStanding, holder: LockHolder): boolean {
  return pid === holder.pid && (bootId === undefined || bootId === holder.bootId);
}

const MAX_BYTES = 64 * 1024;

/** What a daemon writes down about itself in the state folder. */
export interface DaemonFiles {
  readonly note: JsonFile<DaemonNote>;
  readonly standing: JsonFile<DaemonStanding>;
  readonly logPath: string;
  /** On the way out. */
  remove(): void;
}

export function daemonFiles(folder: string): DaemonFiles {
  const named = { folder, maxBytes: MAX_BYTES };
  return {
    note: createJsonFile({ ...named, name: NOTE, isValid: isNote }),
    standing: createJsonFile({ ...named, name: STANDING, isValid: isStanding }),
    logPath: join(folder, 'daemon.log'),
    remove() {
      // What was never written, or cannot be removed, counts for nothing without the lock.
      for (const name of [NOTE, STANDING]) removeQuietly(join(folder, name));
    },
  };
}

const NOTE = 'daemon.json';
const STANDING = 'daemon-status.json';

// Its own program wrote them, so their outlines are enough.
function isNote(value: unknown): value is DaemonNote {
  return isOutlined(value) && typeof (value as Partial<DaemonNote>).startTicks === 'number';
}

function isStanding(value: unknown): value is DaemonStanding {
  return isOutlined(value) && typeof (value as Partial<DaemonStanding>).reaper === 'object';
}

function isOutlined(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { format, pid } = value as { readonly format?: unknown; readonly pid?: unknown };
  return format === 1 && typeof pid === 'number';
}
