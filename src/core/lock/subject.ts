/** What a lock is about: one project root, or the whole account on this host where there is no project. */
export interface LockSubject {
  readonly name: string;
  readonly project: string | null;
}

/** The lock of everything that changes state: one writer per host and user. */
export const WRITER: LockSubject = { name: 'writer', project: null };

/** The lock of the daemon: one per host and user. */
export const DAEMON: LockSubject = { name: 'daemon', project: null };

/** The lock that `rollcall lock` takes when no other is named. */
export const RUNNER_NAME = 'runner';

/** A short plain word, because it becomes part of a file name and of messages. */
export function isLockName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$/.test(name);
}

/** What is hashed into the file name: two different subjects never share it. */
export function subjectIdentity({ name, project }: LockSubject): string {
  return `${name}\0${project ?? ''}`;
}

/** File name of a lock. The digest tells subjects apart; the readable part is only for people who look into the folder. */
export function lockFileName({ name, project }: LockSubject, digest: string): string {
  if (project === null) return `host.${name}${LOCK_ENDING}`;
  const folder = project.slice(project.lastIndexOf('/') + 1);
  const readable = folder.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40) || 'root';
  return `${readable}.${name}.${digest}${LOCK_ENDING}`;
}

/** How the name of every lock file ends. */
export const LOCK_ENDING = '.lock';
