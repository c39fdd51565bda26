import { isGone, type SessionEntry } from '../../core/sight/roll.ts';

const MOST_SUFFIXES = 200;

/** The names to try, in order. */
export function namesToTry(name: string, onCollision: 'fail' | 'suffix'): string[] {
  if (onCollision === 'fail') return [name];
  return [name, ...Array.from({ length: MOST_SUFFIXES - 1 }, (_, index) => `${name}-${index + 2}`)];
}

/** Who has a name on a server. Exactly: how tmux would store another name is for tmux to say. */
export function namesake(
  sessions: readonly SessionEntry[],
  socketPath: string,
  name: string,
): SessionEntry | null {
  return (
    sessions.find(
      (entry) => entry.name === name && entry.server.socketPath === socketPath && !isGone(entry),
    ) ?? null
  );
}
