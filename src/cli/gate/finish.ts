import { counted } from '../../core/text/counted.ts';
import { finishGate } from '../../engine/gate/end-gate.ts';
import { ONE_SESSION_EXITS } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { checkProgress } from './check-progress.ts';
import { CONTRACT_WORD, PANE_FLAG } from './flags.ts';
import { endContract } from './open-contract.ts';

export const gateFinishCommand = defineCommand({
  name: 'gate finish',
  summary: 'Declare the work that an agent was asked for finished.',
  usage: ['rollcall gate finish [SESSION] [--force] [flags]'],
  description: [
    'Looks at every check of the contract, which runs its commands, and ends it where all of them hold: the agent may stop from then on. Where something is missing, or cannot be told, it is refused with exit code 3 and says what; --force ends it all the same, and that is recorded.',
    'Without SESSION it is about the agent in whose pane this command runs, proven by the processes.',
  ],
  flags: {
    force: { kind: 'switch', help: 'Also where something is missing or cannot be told.' },
    pane: PANE_FLAG,
  },
  positional: CONTRACT_WORD,
  examples: {
    'rollcall gate finish': 'inside the agent’s session',
    'rollcall gate finish fix-12 --force': 'good enough',
  },
  exits: {
    done: 'it is finished',
    refused:
      'something is missing or cannot be told, it has ended before, or the session around this command cannot be proven',
    ...ONE_SESSION_EXITS,
  },
  run: (call) => {
    const { onCheck, end } = checkProgress(call.surroundings.stderr);
    const options = { isForced: call.flags.force, onCheck };
    return endContract(call, 'gate finish', {
      end: (hands, parts, contract) => finishGate(hands, parts, contract, options).finally(end),
      words: ({ missing: { length } }) =>
        length === 0 ? 'finished' : `finished, although ${counted(length, 'thing is', 'things are')} missing`,
    });
  },
});
