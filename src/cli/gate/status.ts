import { seeGate, seenDocument } from '../../operations/gate.ts';
import { atHere } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { show } from '../render/show.ts';
import { checkProgress } from './check-progress.ts';
import { CONTRACT_WORD, PANE_FLAG, requireSessionFor } from './flags.ts';
import { gateStatusLines } from './render-status.ts';

export const gateStatusCommand = defineCommand({
  name: 'gate status',
  summary: 'Show which agents are to go on, and what is missing.',
  usage: ['rollcall gate status [SESSION] [--all] [--run] [flags]'],
  description: [
    'Shows every open contract: its owner, every check with its last result and how old that is, how often the owner was kept going, and the mode and switch that hold. Results come from the stops; --run looks at every check now, which runs its commands.',
  ],
  flags: {
    all: { kind: 'switch', help: 'Those too that ended in the last days.' },
    run: { kind: 'switch', help: 'Look at every check of the open ones now.' },
    pane: PANE_FLAG,
  },
  positional: {
    ...CONTRACT_WORD,
    help: 'Only of this session (name, $id, %pane or key), or the contract with this id.',
  },
  examples: {
    'rollcall gate status': 'what is asked of whom',
    'rollcall gate status fix-12 --run': 'what is missing right now',
    "rollcall gate status --json | jq '.contracts[] | {id, task, stale}'": 'for programs',
  },
  exits: {
    done: 'it was shown, whatever it is',
    failed: 'a server that may hold the session is silent',
    usage: 'an unknown flag or value',
    'not-found': 'no session has this name, and no contract this id',
    ambiguous: 'several sessions have this name; they are listed',
  },
  run: async ({ flags, words: [word], surroundings }) => {
    requireSessionFor(flags.pane, word);
    const { onCheck, end } = checkProgress(surroundings.stderr);
    const asked = { session: word, pane: flags.pane, all: flags.all, servers: flags.server };
    const seen = await seeGate(asked, atHere(surroundings, flags), {
      run: flags.run,
      onCheck: (_, check, result) => onCheck(check, result),
    }).finally(end);
    return show({ flags, surroundings }, seenDocument(seen), (width) =>
      gateStatusLines(seen, { isAll: flags.all, width }),
    );
  },
});
