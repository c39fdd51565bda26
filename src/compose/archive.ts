import { createArchive } from '../adapters/archive/archive.ts';
import type { Archive } from '../ports/archive.ts';
import { ownStateFolder } from './system/own-user.ts';

/** What was kept of this user's closed sessions. */
export function openArchive(env: NodeJS.ProcessEnv): Archive {
  return createArchive({ folder: ownStateFolder(env).path });
}
