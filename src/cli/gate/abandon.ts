import { abandonGate } from '../../engine/gate/end-gate.ts';
import { Failure } from '../../operations/failure.ts';
import { ONE_SESSION_EXITS } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { word } from '../frame/flags.ts';
import { CONTRACT_WORD, PANE_FLAG } from './flags.ts';
import { endContract } from './open-contract.ts';

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
    reason: word('TEXT', 'Why, for others to read.'),
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
  run: async (call) => {
    const { reason = null } = call.flags;
    if (reason !== null && reason.length > LONGEST_REASON)
      throw new Failure('usage', '--reason is too long', {
        hint: `write at most ${LONGEST_REASON} characters`,
      });
    return endContract(call, 'gate abandon', {
      end: (hands, parts, contract) => abandonGate(hands, parts, contract, { reason }),
      words: () => (reason === null ? 'given up' : `given up: ${reason}`),
    });
  },
});
