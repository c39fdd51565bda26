import type { Life } from '../lock/life.ts';
import type { DoctorFacts } from './facts.ts';
import { isSessionKey, processLife, sessionLife } from './session-life.ts';

const PID = /^pid:(\d{1,10})(?:\.(\d{1,15}))?$/;

/**
 * Whether the owner that a session names is still there. Only three kinds of owners can be looked for: a process
 * (`pid:PID.START`, START in clock ticks since boot), a session by its key, a folder by its absolute path. Anything else,
 * a person's name above all, is unknown and stays so.
 */
export function ownerLife(
  owner: string,
  facts: Pick<DoctorFacts, 'roll' | 'table' | 'care' | 'ledger'>,
): Life {
  const [, pid, startTicks = '0'] = PID.exec(owner) ?? [];
  if (pid !== undefined) return processLife(Number(pid), Number(startTicks), facts.table);
  if (isSessionKey(owner)) return sessionLife(owner, facts);
  if (!owner.startsWith('/')) return 'unknown';
  return facts.care.missingFolders.has(owner) ? 'gone' : 'alive';
}
