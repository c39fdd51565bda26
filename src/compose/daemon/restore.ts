import type { SessionEntry } from '../../core/sight/roll.ts';
import { canSleep } from '../../core/sleep/sleep-document.ts';
import { recoverAll } from '../../engine/act/recover.ts';
import { lostSessions, restoreSession } from '../../engine/act/restore/restore-session.ts';
import type { DaemonLog } from '../../ports/daemon.ts';
import type { closerParts } from '../ledger.ts';

const ASLEEP = { since: null, named: null, hasPrograms: false, isAsleep: true };
const ORDER = { shell: '/bin/sh', argv: ['rollcall', 'up'], isAsleep: true, isWithoutPrograms: true };

/** What the daemon records its offers with, and brings agents back asleep with: one after the other, and no other program. */
export function restorerOf(
  { record, withHands }: ReturnType<typeof closerParts>,
  log: Pick<DaemonLog, 'note' | 'warn'>,
) {
  return {
    record,
    restore: (lost: readonly SessionEntry[]): Promise<void> =>
      withHands(async (hands) => {
        await recoverAll(hands);
        const all = lostSessions(hands, lost, ASLEEP);
        const sleepy = all.filter(({ kept }) => !('state' in kept) && canSleep(kept));
        for (const one of sleepy) {
          const { name, result, text, session } = await restoreSession(hands, one, ORDER);
          const told = { name, result, ...(session && { key: session.key }), ...(text !== null && { text }) };
          if (result === 'failed') log.warn('restore', told);
          else log.note('restore', told);
        }
      }),
  };
}
