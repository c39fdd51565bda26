import { toGateEndedDocument } from '../../contract/gate-documents.ts';
import { effectiveMode } from '../../core/gate/mode.ts';
import { visible } from '../../core/text/visible.ts';
import { isTrouble } from '../../engine/act/trouble.ts';
import { abandonGate } from '../../engine/gate/end-gate.ts';
import { Failure, failureOf } from '../../operations/failure.ts';
import { ONE_SESSION_EXITS } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { withHands } from '../frame/with-hands.ts';
import { writeJson } from '../frame/write-json.ts';
import { CONTRACT_WORD, PANE_FLAG, requireSessionFor } from './flags.ts';
import { openContract } from './open-contract.ts';

const LONGEST_REASON = 500;

export const gateAbandonCommand = defineCommand({
  name: 'gate abandon',
  summary: 'Give up the work that an agent was asked for.',
  usage: ['rollcall gate abandon [SESSION] [--reason TEXT] [flags]'],
  description: [
    'Ends the contract without looking at its checks: the agent may stop from then on. That it was given up, and why, is recorded.',
    'Without SESSION it is about the agent in whose pane this command runs, proven by the processes.',
  ],
  flags: {
    reason: { kind: 'word', placeholder: 'TEXT', help: 'Why, for others to read.' },
    pane: PANE_FLAG,
  },
  positional: CONTRACT_WORD,
  examples: {
    "rollcall gate abandon --reason 'needs a decision on the API'": 'inside the session',
    'rollcall gate abandon fix-12': 'from outside, also where the session is gone',
  },
  exits: {
    done: 'it is given up',
    refused: 'it has ended before, or the session around this command cannot be proven',
    ...ONE_SESSION_EXITS,
  },
  run: async ({ flags, words: [word], surroundings }) => {
    requireSessionFor(flags.pane, word);
    const { reason = null } = flags;
    if (reason !== null && reason.length > LONGEST_REASON)
      throw new Failure('usage', '--reason is too long', {
        hint: `write at most ${LONGEST_REASON} characters`,
      });
    return withHands(surroundings, async (hands) => {
      const { stdout, now } = surroundings;
      const parts = await surroundings.gate();
      const told = { hands, surroundings, flags };
      const meant = await openContract(told, parts, { command: 'gate abandon', word, pane: flags.pane });
      const ended = await abandonGate(hands, parts, meant, { reason });
      if (isTrouble(ended)) throw failureOf(ended);
      const { contract } = ended;
      const mode = effectiveMode(parts.store.modes(), contract.project);
      const result = { result: 'abandoned', isForced: false, now: now() } as const;
      if (flags.json) writeJson(stdout, toGateEndedDocument({ contract, mode }, result));
      else {
        const why = reason === null ? '' : `: ${reason}`;
        stdout.write(`${visible(`${contract.owner.session.name}: given up${why}`)}\n`);
      }
      return 0;
    });
  },
});
