import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import type { DiskSighting, FolderSighting } from '../../core/doctor/sightings.ts';
import { visible } from '../../core/text/visible.ts';
import type { DoctorSensor } from '../../ports/doctor.ts';
import { readDaemonNote } from './daemon-note.ts';
import { readLogin } from './login.ts';
import { isGone } from './missing-folders.ts';
import { readOwnFolder } from './own-folder.ts';
import { type RunTmux, readServerSettings } from './server-settings.ts';

export interface DoctorSensorOptions {
  readonly run: RunTmux;
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

/** Sees what only the doctor looks at. */
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

/** Room on the file system of a folder. */
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
