import type { GateMode } from '../../core/gate/mode.ts';
import { visible } from '../../core/text/visible.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { WRITER_TIMEOUT_MS } from '../act/deed.ts';
import { heldOr, trouble } from '../act/trouble.ts';
import type { GateParts } from './parts.ts';

export interface ModeWish {
  /** Null: the user's, for everything. */
  readonly project: string | null;
  /** Null: takes it back. */
  readonly mode: GateMode | null;
}

/**
 * Sets a mode and records it. What lets the gate block is recorded before it holds; what keeps it from that holds in any
 * case, also where it cannot be recorded. Throws a LedgerError.
 */
export async function setGateMode(
  ledger: Pick<Ledger, 'append'>,
  { store, writer, now }: Pick<GateParts, 'store' | 'writer' | 'now'>,
  { project, mode }: ModeWish,
) {
  if (store.problem !== null) return trouble('failed', store.problem);
  const held = await writer.hold({ task: 'gate-mode', argv: [] }, WRITER_TIMEOUT_MS, async () => {
    const { user, projects } = store.modes();
    const own = project !== null && Object.hasOwn(projects, project) ? (projects[project] ?? null) : null;
    const from = project === null ? user : own;
    // Of a project that is taken back, the user's holds.
    const mayBlock = (mode ?? (project === null ? null : user)) === 'enforce';
    const record = () => {
      const body = { from, to: mode, project };
      ledger.append({ kind: 'declared', action: 'gate-mode', session: null, body });
    };
    if (mayBlock) record();
    try {
      store.setMode(project, mode);
    } catch (error) {
      return trouble('failed', `the mode could not be kept: ${(error as Error).message}`);
    }
    if (!mayBlock) record();
    return { state: 'set', from, to: mode } as const;
  });
  return heldOr(held, now());
}

export interface SwitchWish {
  /** `off` lets every stop through from now on; `on` lifts that. */
  readonly state: 'off' | 'on';
  readonly reason: string | null;
}

/**
 * Trips the switch or lifts it. The file comes first, and nobody is waited for: it holds as soon as it is there, whatever
 * the ledger says. `unrecorded`: why the ledger does not have it.
 */
export async function setGateSwitch(
  openLedger: () => Promise<Ledger>,
  { store, now }: Pick<GateParts, 'store' | 'now'>,
  { state, reason }: SwitchWish,
) {
  if (store.problem !== null) return trouble('failed', store.problem);
  const before = store.switch();
  const next = state === 'off' ? { at: now(), reason } : null;
  try {
    store.setSwitch(next);
  } catch (error) {
    return trouble('failed', `the switch could not be kept: ${(error as Error).message}`);
  }
  const unrecorded = await record(openLedger, { state, reason });
  return { state: 'set', before, now: next, unrecorded } as const;
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
