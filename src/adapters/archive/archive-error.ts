/** Why an archive cannot be written or read, with what to do about it. */
export class ArchiveError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** What a user can do about it. */
export function hintFor(error: unknown, root: string): string {
  if (error instanceof ArchiveError) return error.hint;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `make room on the disk of ${root}, then try again; nothing was closed`;
    case 'EROFS':
      return `${root} lies on a read-only disk; point XDG_STATE_HOME to another`;
    default:
      return `look at ${root}, or point XDG_STATE_HOME to a folder of your own`;
  }
}
