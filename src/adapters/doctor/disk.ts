import { statfsSync } from 'node:fs';
import type { DiskSighting } from '../../core/doctor/sightings.ts';
import { visible } from '../../core/visible.ts';

/** Room on the file system of a folder. */
export function readDisk(path: string): DiskSighting {
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
