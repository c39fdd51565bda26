import { type HoldingProcess, type LockSighting, leftBehind } from '../../core/lock/sighting.ts';
import { shownCommand } from '../../core/text/mask-secrets.ts';
import { sinceText, taskText } from '../../engine/act/trouble.ts';

export { holdingText } from '../../engine/act/trouble.ts';

/** Names a lock: whose it is, and which of several. */
export function lockTitle({ name, project }: Pick<LockSighting, 'name' | 'project'>): string {
  return project === null ? `the lock '${name}'` : `the lock '${name}' of ${project}`;
}

/** What the holder said about itself when it was there. */
export function lastHolderText({ holder }: LockSighting, now: number): string | null {
  if (holder === null) return null;
  return [`pid ${holder.pid}`, ...taskText(holder.task), sinceText(holder.since, now)].join(', ');
}

/** What to look at and what to do; never to remove a file, which would only split the lock in two. */
export function recoveryHint(lock: LockSighting): string {
  const { holder, holderLife, heldBy } = lock;
  if (heldBy?.some(({ part }) => part === 'self')) {
    return 'this command runs under that very lock: start the program without taking it again, or under another --name';
  }
  const left = leftBehind(lock);
  const runner = heldBy?.find(({ part }) => part === 'runner')?.pid ?? holder?.runner?.pid ?? holder?.pid;
  const living = holderLife === 'gone' ? undefined : runner;
  const pids = left.length > 0 ? left.map(({ pid }) => pid).join(' ') : living;
  const wait = 'wait for it: --wait 10m';
  if (pids === undefined) return `see who has it: rollcall lock status; ${wait}`;
  return `look at it: ps -fp ${String(pids).replaceAll(' ', ',')}; ${wait}; end it: kill ${pids}; the lock is free once its last holder is gone`;
}

/** A process that holds the lock, for a list. */
export function processText({ pid, program, argv, part }: HoldingProcess): string {
  const parts = { taker: 'rollcall', runner: 'runner', descendant: 'inherited it', self: 'this command' };
  return `pid ${pid}  ${parts[part]}  ${shownCommand(argv.length === 0 ? [program] : argv, 4096)}`;
}
