import type { GateContract } from '../../core/gate/contract.ts';
import type { GateParts } from '../../engine/gate/parts.ts';
import { contractsInPane, contractsMeant, onlyContract } from '../../operations/find-contract.ts';
import { findAround, type Told } from '../declare/session-inside.ts';
import { serverWords, takeRoll } from '../roll/take-roll.ts';

/** Which contract a command is about. */
interface ContractWish {
  readonly command: string;
  readonly word: string | undefined;
  readonly pane: string | undefined;
}

/** The one open contract that is meant: of the pane around the command, or of a session, or by its id. */
export async function openContract(
  told: Told & { readonly flags: { readonly server: readonly string[] } },
  { store }: Pick<GateParts, 'store'>,
  { command, word, pane }: ContractWish,
): Promise<GateContract> {
  const open = store.contracts().contracts.filter(({ phase }) => phase === 'open');
  if (word === undefined) {
    const hint = `name it by its session or id: rollcall ${command} ID; rollcall gate status lists them`;
    const { entry, paneId } = await findAround(told, command, { isThorough: false, hint });
    return onlyContract(contractsInPane(open, { server: entry.server, paneId }), `the agent in ${paneId}`);
  }
  const { hands, surroundings, flags } = told;
  // An id is nobody else's: no look is needed, and none has to succeed.
  const byId = open.find(({ id }) => id === word);
  if (byId !== undefined) return byId;
  const servers = serverWords(flags.server, surroundings);
  const roll = await takeRoll({ ...surroundings, look: hands.look }, servers);
  return onlyContract(contractsMeant(open, roll, word, pane ?? null), `'${word}'`);
}
