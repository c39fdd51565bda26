import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonFound, DiskSighting, FolderSighting } from '../../core/doctor/sightings.ts';
import { visible } from '../../core/text/visible.ts';
import { tryOr } from '../../core/try-or.ts';
import type { DoctorSensor } from '../../ports/doctor.ts';
import { asObject, type JsonFields } from '../files/json-object.ts';
import { OwnFileRefused, readOwnFile } from '../files/own-file.ts';
import { readLogin } from './login.ts';
import { isGone, readOwnFolder } from './own-folder.ts';
import { type AskTmux, readServerSettings } from './server-settings.ts';

export interface DoctorSensorOptions {
  readonly run: AskTmux;
  /** The state folder. */
  readonly folder: string;
  readonly spoolFolder: string;
  readonly uid: number;
  readonly user: string;
  /** Variables that must not be in a server's global environment. */
  readonly watched: readonly string[];
  /** Whether something is gone for certain; looked at in this process unless somebody else is asked. */
  readonly isGone?: (path: string) => boolean | Promise<boolean>;
  readonly procRoot?: string;
  readonly root?: string;
}

export function createDoctorSensor(options: DoctorSensorOptions): DoctorSensor {
  const { run, folder, spoolFolder, uid, user, watched, procRoot = '/proc', root = '' } = options;
  return {
    settings: (servers) =>
      Promise.all(
        servers.map((server) => readServerSettings(run, server, watched, randomBytes(12).toString('hex'))),
      ),
    login: (servers) => readLogin(servers, { procRoot, root, user }),
    disk: () => readDisk(folder),
    stateFolder: () => readOwnFolder(folder, uid, { closed: [spoolFolder] }),
    spool: () => inside(readOwnFolder(spoolFolder, uid, { depth: 1 })),
    daemon: () => readDaemonNote(folder),
    async missingFolders(paths) {
      const all = [...paths];
      const areGone = await Promise.all(all.map(options.isGone ?? isGone));
      return new Set(all.filter((_, index) => areGone[index]));
    },
  };
}

// The spool itself is no event; its rights are among those of the state folder.
function inside(seen: FolderSighting): FolderSighting {
  return seen.state === 'read' ? { ...seen, entries: seen.entries.slice(1) } : seen;
}

function readDisk(path: string): DiskSighting {
  try {
    const { bsize, blocks, bavail, files, ffree } = statfsSync(path);
    return {
      state: 'read',
      path,
      totalBytes: blocks * bsize,
      availableBytes: bavail * bsize,
      totalFiles: files,
      freeFiles: ffree,
    };
  } catch (error) {
    return { state: 'failed', path, text: visible((error as Error).message, 200) };
  }
}

const MAX_BYTES = 64 * 1024;

/** What the daemon wrote about itself; what it does not tell is left out of account. */
function readDaemonNote(folder: string): DaemonFound {
  const path = join(folder, 'daemon.json');
  try {
    const note = fieldsIn(path);
    if (note === null) return { state: 'none' };
    const { pid, startTicks, startedAt, bootId, pidNamespace, problems } = note;
    if (!isNumber(pid) || !isNumber(startTicks) || !isNumber(startedAt) || typeof bootId !== 'string') {
      return { state: 'unreadable', path, text: 'its content is not as expected' };
    }
    return {
      state: 'read',
      path,
      pid,
      startTicks,
      bootId,
      startedAt,
      ...(typeof pidNamespace === 'string' && { pidNamespace }),
      problems: Array.isArray(problems) ? problems.filter((one) => typeof one === 'string') : [],
      lastRoundAt: lastRoundOf(pid, folder),
    };
  } catch (error) {
    const text = error instanceof OwnFileRefused ? error.text : (error as Error).message;
    return { state: 'unreadable', path, text: visible(text, 200) };
  }
}

// Left by an earlier daemon, or not there yet: then nothing is known.
function lastRoundOf(pid: number, folder: string): number | null {
  return tryOr(null, () => {
    const standing = fieldsIn(join(folder, 'daemon-status.json'));
    return standing?.pid === pid && isNumber(standing.at) ? standing.at : null;
  });
}

function fieldsIn(path: string): JsonFields | null {
  const read = readOwnFile(path, { uid: null, maxBytes: MAX_BYTES });
  if (read === null) return null;
  return asObject(JSON.parse(read.bytes.toString('utf8'))) ?? {};
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
