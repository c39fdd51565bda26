import type { GateCheck, Reinforce } from '../../core/gate/check.ts';
import { type GateContract, type GateOwner, NOTHING_USED } from '../../core/gate/contract.ts';
import { expire, isOverdue } from '../../core/gate/early.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import { visible } from '../../core/text/visible.ts';
import { factsOf, type Hands } from '../act/hands.ts';
import { standsAfterClose } from '../act/outlast-close.ts';
import { isTrouble, type Trouble, trouble } from '../act/trouble.ts';
import { endEntry, startEntry } from './entries.ts';
import { ownerOf } from './owner-of.ts';
import type { GateParts } from './parts.ts';
import { write } from './write.ts';

export interface GateWish {
  readonly entry: SessionEntry;
  /** Null: the only agent of the session. */
  readonly paneId: string | null;
  readonly task: string | null;
  readonly checks: readonly GateCheck[];
  readonly reinforce: Reinforce;
  readonly ttlMs: number;
  /** Where checks run; null: where the agent's pane is. */
  readonly cwd: string | null;
  readonly isReplacing: boolean;
}

export interface StartedGate {
  readonly state: 'started';
  readonly contract: GateContract;
  /** The contract that it took the place of. */
  readonly replaced: GateContract | null;
  /** What else whoever asked for it should know. */
  readonly note?: string;
}

/**
 * Makes a contract with the agent of a pane. New work speaks for keeping its session: the answer is yes only where no close of
 * it goes on. Throws a LedgerError.
 */
export async function startGate(
  hands: Hands,
  parts: GateParts,
  wish: GateWish,
): Promise<StartedGate | Trouble> {
  const before = factsOf(hands, wish.entry);
  const started = await begin(hands, parts, wish);
  if (isTrouble(started)) return started;
  const stands = await standsAfterClose(hands, wish.entry, before);
  if (!isTrouble(stands)) return { ...started, ...stands };
  if (stands.exit === 'not-found') await withdraw(hands, parts, started.contract, stands.text);
  return stands;
}

// Nobody is left to keep it.
function withdraw(hands: Hands, parts: GateParts, { id }: GateContract, text: string) {
  const { store } = parts;
  return write(hands, parts, 'gate-start', () => {
    const contract = store.contract(id);
    if (contract?.phase !== 'open') return;
    const ended: GateContract = { ...contract, phase: 'abandoned', ended: { at: hands.now(), text } };
    store.save(ended, () => hands.ledger.append(endEntry(ended)));
  });
}

async function begin(hands: Hands, parts: GateParts, wish: GateWish): Promise<StartedGate | Trouble> {
  const { store } = parts;
  if (store.problem !== null) return trouble('failed', store.problem);
  const stamped = ownerOf(wish.entry, wish.paneId, parts.agents, hands.now());
  if (isTrouble(stamped)) return stamped;
  const cwd = wish.cwd ?? stamped.pane.cwd;
  if (cwd === null || !(await hands.isFolder(cwd))) {
    const text =
      cwd === null ? 'the folder of the agent is not known' : `${cwd} is no folder, or gives no answer`;
    return trouble('failed', text, { hint: 'say where checks run: --cwd DIR' });
  }
  const project = await parts.projectOf(cwd);
  return write(hands, parts, 'gate-start', () => {
    const now = hands.now();
    expireOld(hands, parts, now);
    const open = store
      .contracts()
      .contracts.filter(({ phase, owner }) => phase === 'open' && isSamePane(owner, stamped.owner));
    const [first = null] = open;
    if (first !== null && !wish.isReplacing) return taken(first);
    const contract: GateContract = {
      ...{ format: 1, id: newId(parts), task: wish.task, startedAt: now, expiresAt: now + wish.ttlMs },
      ...{ cwd, project, checks: wish.checks.map((check) => ({ check, result: null })) },
      ...{ reinforce: wish.reinforce, owner: stamped.owner, phase: 'open', ended: null },
      ...{ enforced: NOTHING_USED, shadowed: NOTHING_USED, stale: null },
    };
    for (const old of open) {
      const ended = { at: now, text: `${contract.id} took its place` };
      const replaced: GateContract = { ...old, phase: 'abandoned', ended };
      store.save(replaced, () => hands.ledger.append(endEntry(replaced)));
    }
    store.save(contract, () => hands.ledger.append(startEntry(contract, hands.moment().awakeMs)));
    return { state: 'started', contract, replaced: first } as const;
  });
}

/** Ends what nobody has stopped at since its time was over. */
function expireOld({ ledger }: Pick<Hands, 'ledger'>, { store }: GateParts, now: number): void {
  for (const contract of store.contracts().contracts) {
    if (!isOverdue(contract, now)) continue;
    const over = expire(contract, now);
    store.save(over, () => ledger.append(endEntry(over)));
  }
}

function isSamePane(one: GateOwner, other: GateOwner): boolean {
  const { pid, startTicks } = one.server;
  return other.server.pid === pid && other.server.startTicks === startTicks && one.paneId === other.paneId;
}

function taken({ id, task, owner }: GateContract): Trouble {
  const what = task === null ? '' : `: ${visible(task, 200)}`;
  return trouble('refused', `the agent in ${owner.paneId} has a contract already (${id})${what}`, {
    hint: 'finish or abandon it, or put this one in its place with --replace',
  });
}

function newId({ store }: Pick<GateParts, 'store'>): string {
  const id = crypto.randomUUID().slice(0, 8);
  return store.contract(id) === null ? id : newId({ store });
}
