import type { GateContract } from '../core/gate/contract.ts';
import { isGone, type Roll, type SessionEntry } from '../core/sight/roll.ts';
import { Failure } from './failure.ts';
import { sessionsMeant, sessionsNear } from './select-session.ts';
import { ambiguous, notFound } from './session-named.ts';

/** The agent in one pane, by the server that made the pane. */
export interface PaneMeant {
  readonly server: Pick<SessionEntry['server'], 'pid' | 'startTicks'>;
  readonly paneId: string;
}

/** The contracts of one pane. */
export function contractsInPane(
  contracts: readonly GateContract[],
  { server, paneId }: PaneMeant,
): GateContract[] {
  return contracts.filter(({ owner }) => isOn(owner.server, server) && owner.paneId === paneId);
}

/**
 * The contracts that a word means: by their own id, else those of the one session that the word names. Where no such
 * session is left, those that were started in one of that name or key: they have to be ended by somebody.
 */
export function contractsMeant(
  contracts: readonly GateContract[],
  roll: Roll,
  word: string,
  paneId: string | null,
): GateContract[] {
  const meant = contractsNamed(contracts, roll, word);
  const pane = paneId ?? paneIn(word);
  return pane === null ? meant : meant.filter(({ owner, id }) => owner.paneId === pane || id === word);
}

/** The pane that a word for a session names, if it does: `%3`, `LABEL:%3`. */
export function paneIn(word: string): string | null {
  return /(?:^|:)(%\d+)$/.exec(word)?.[1] ?? null;
}

/** Exactly one, or the failure that says why not. */
export function onlyContract(contracts: readonly GateContract[], whose: string): GateContract {
  const [contract, ...others] = contracts;
  if (contract === undefined) {
    throw new Failure('not-found', `${whose} has no open contract`, {
      hint: 'rollcall gate status shows the open ones, with --all those that ended lately too',
    });
  }
  if (others.length === 0) return contract;
  throw new Failure('ambiguous', `${whose} has ${contracts.length} open contracts`, {
    details: contracts.map(
      ({ id, owner, task }) =>
        `${id}  ${owner.agent.kind} in ${owner.paneId}${task === null ? '' : `  ${task}`}`,
    ),
    hint: 'name one by its id, or its pane with --pane',
  });
}

function contractsNamed(contracts: readonly GateContract[], roll: Roll, word: string): GateContract[] {
  const byId = contracts.filter(({ id }) => id === word);
  if (byId.length > 0) return byId;
  const living = sessionsMeant(roll.sessions, word).filter((entry) => !isGone(entry));
  const [entry, ...others] = living;
  if (others.length > 0) throw ambiguous(word, living);
  if (entry !== undefined) return contracts.filter((contract) => isOf(contract, entry));
  const left = contracts.filter(({ owner: { session } }) => session.key === word || session.name === word);
  if (left.length === 0) throw notFound(roll, word, sessionsNear(roll.sessions, word));
  return left;
}

// A pane that was moved is where it is now; one that is gone was where the work began.
function isOf({ owner }: GateContract, { key, server, panes }: SessionEntry): boolean {
  const isHere = isOn(owner.server, server) && panes.some(({ paneId }) => paneId === owner.paneId);
  return isHere || owner.session.key === key;
}

function isOn(mark: PaneMeant['server'], server: PaneMeant['server']): boolean {
  return mark.pid === server.pid && mark.startTicks === server.startTicks;
}
