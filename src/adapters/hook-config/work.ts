import type { AbsentFile, UserFile } from '../files/user-file.ts';

/** One file that is to be written or removed. */
export interface Work {
  readonly file: UserFile | AbsentFile;
  readonly after: string | null;
  readonly newMode: number;
  readonly isOwn: boolean;
  /** Something of the user's is in it, so that it is kept as it was. */
  readonly isKept: boolean;
  /** The folder in which it should be; null for the script and the records, which nobody else writes to. */
  readonly base: string | null;
  /** Folders to be removed with it, as far as they are empty. */
  readonly folders: readonly string[];
}

/** What is in a file; null where there is none. */
export function textIn(file: UserFile | AbsentFile): string | null {
  return file.state === 'read' ? file.text : null;
}
