/** Where a system has its own programs. An empty PATH would mean the current folder. */
const SYSTEM = '/usr/bin:/bin';

/**
 * A PATH in which rollcall may look for programs that it runs itself. A relative or empty entry means the folder in which
 * somebody stands, which may be a repository of a stranger with a `tmux` of its own.
 */
export function programPath(path: string | undefined): string {
  const folders = (path ?? SYSTEM).split(':').filter((folder) => folder.startsWith('/'));
  return folders.length === 0 ? SYSTEM : folders.join(':');
}
