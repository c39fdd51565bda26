import { toGateEndedDocument } from '../../contract/gate-documents.ts';
import type { GateContract } from '../../core/gate/contract.ts';
import { effectiveMode } from '../../core/gate/mode.ts';
import { visible } from '../../core/text/visible.ts';
import type { Hands } from '../../engine/act/hands.ts';
import type { Trouble } from '../../engine/act/trouble.ts';
import type { Ended } from '../../engine/gate/end-gate.ts';
import type { GateParts } from '../../engine/gate/parts.ts';
import { orFail } from '../../operations/failure.ts';
import { contractsInPane, contractsMeant, onlyContract } from '../../operations/find-contract.ts';
import { findAround, type InsideParts } from '../declare/session-inside.ts';
import type { Invocation } from '../frame/command.ts';
import { withHands } from '../frame/with-hands.ts';
import { showText } from '../render/show.ts';
import { serverWords, takeRoll } from '../roll/take-roll.ts';
import { type PANE_FLAG, requireSessionFor } from './flags.ts';

interface Ending {
  end(hands: Hands, parts: GateParts, contract: GateContract): Promise<Ended | Trouble>;
  /** What came of it, for a person. */
  words(ended: Ended): string;
}

/** Ends the open contract that is meant, and prints what came of it. */
export function endContract(
  { flags, words: [word], surroundings }: Invocation<{ readonly pane: typeof PANE_FLAG }>,
  command: 'gate finish' | 'gate abandon',
  { end, words }: Ending,
): Promise<number> {
  requireSessionFor(flags.pane, word);
  return withHands(surroundings, async (hands) => {
    const parts = await surroundings.gate();
    const told = { hands, surroundings, flags };
    const meant = await openContract(told, parts, { command, word, pane: flags.pane });
    const ended = orFail(await end(hands, parts, meant));
    const { contract, missing } = ended;
    const mode = effectiveMode(parts.store.modes(), contract.project);
    const result = command === 'gate finish' ? 'finished' : 'abandoned';
    const isForced = missing.length > 0;
    const document = toGateEndedDocument({ contract, mode }, { result, isForced, now: surroundings.now() });
    const lines = [`${contract.owner.session.name}: ${words(ended)}`, ...missing.map((text) => `  ${text}`)];
    const text = lines.map((line) => `${visible(line)}\n`).join('');
    return showText({ flags, surroundings }, document, text);
  });
}

/** Which contract a command is about. */
interface ContractWish {
  readonly command: string;
  readonly word: string | undefined;
  readonly pane: string | undefined;
}

/** The one open contract that is meant: of the pane around the command, or of a session, or by its id. */
async function openContract(
  told: InsideParts & { readonly flags: { readonly server: readonly string[] } },
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
