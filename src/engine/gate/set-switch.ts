import { visible } from '../../core/text/visible.ts';
import type { GateSwitch } from '../../ports/gate.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { type Trouble, trouble } from '../act/trouble.ts';
import type { GateParts } from './parts.ts';

export interface SwitchWish {
  /** `off` lets every stop through from now on; `on` lifts that. */
  readonly state: 'off' | 'on';
  readonly reason: string | null;
}

export interface SwitchSet {
  readonly state: 'set';
  readonly before: GateSwitch | null;
  readonly now: GateSwitch | null;
  /** Why it was not recorded; it holds all the same. */
  readonly unrecorded: string | null;
}

/**
 * Trips the switch or lifts it. The file comes first, and nobody is waited for: it holds as soon as it is there, whatever
 * the ledger says.
 */
export async function setGateSwitch(
  openLedger: () => Promise<Ledger>,
  { store, now }: Pick<GateParts, 'store' | 'now'>,
  { state, reason }: SwitchWish,
): Promise<SwitchSet | Trouble> {
  if (store.problem !== null) return trouble('failed', store.problem);
  const before = store.switch();
  const next = state === 'off' ? { at: now(), reason } : null;
  try {
    store.setSwitch(next);
  } catch (error) {
    return trouble('failed', `the switch could not be kept: ${(error as Error).message}`);
  }
  const unrecorded = await record(openLedger, { state, reason });
  return { state: 'set', before, now: next, unrecorded };
}

async function record(
  openLedger: () => Promise<Ledger>,
  { state, reason }: SwitchWish,
): Promise<string | null> {
  try {
    const ledger = await openLedger();
    try {
      const body = { state, reason: reason === null ? null : visible(reason, 500) };
      ledger.append({ kind: 'declared', action: 'gate-switch', session: null, body });
      return null;
    } finally {
      ledger.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}
