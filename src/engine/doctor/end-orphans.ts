import type { Mending } from '../../core/doctor/finding.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import { holdingText } from '../act/holding-text.ts';
import { endGroup } from './end-group.ts';
import type { EndMendable, Mender } from './mender.ts';
import { prove, type Target } from './prove.ts';

/**
 * Ends processes that outlived their session, session by session: each group under the lock of its session, with an
 * intent before and an outcome after.
 */
export async function endOrphans(
  mender: Mender,
  wanted: readonly EndMendable[],
  tell: (mending: Mending) => void,
): Promise<void> {
  if (wanted.length === 0) return;
  const { proven, changed } = prove(wanted, await mender.gatherProcesses());
  changed.forEach(tell);
  for (const group of bySession(proven).values()) {
    for (const mending of await endSafely(mender, group)) tell(mending);
  }
}

function bySession(targets: readonly Target[]): Map<string, Target[]> {
  const groups = new Map<string, Target[]>();
  for (const target of targets) {
    const key = target.proof.session?.key ?? '';
    groups.set(key, [...(groups.get(key) ?? []), target]);
  }
  return groups;
}

async function endSafely(mender: Mender, group: readonly Target[]): Promise<readonly Mending[]> {
  const all = (result: Mending['result'], text: string) =>
    group.map(({ wanted: { check, finding } }) => ({ check, finding, result, text }));
  try {
    const performed = await endGroup(mender, group);
    if (performed.state === 'performed') return performed.value;
    if (performed.state === 'moot')
      return all('skipped', 'nothing was touched: its session is protected now');
    if (performed.state === 'failed') return all('failed', `${performed.text}; ${performed.hint}`);
    const by = holdingText(performed.by, mender.hands.now());
    return all('skipped', `nothing was touched: another rollcall is at its session: ${by}`);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return all('failed', `the ledger: ${error.message}`);
  }
}
